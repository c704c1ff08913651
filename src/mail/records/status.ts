/** What a role says about itself, and how it is stored in a file. */
import { STATUSES } from "../../army/words.ts";
import * as z from "zod/mini";
import { ROLES, type Role } from "../../army/roles.ts";
import { cleanLine } from "../../system/clean-text.ts";
import { lazily } from "../../system/async.ts";

const statusFile = lazily(() =>
  z.object({
    role: z.enum(ROLES),
    status: z.enum(STATUSES),
    task: z.pipe(z.string(), z.transform(cleanLine)),
    /** Null if the role has never said anything. */
    updated: z.nullable(z.iso.datetime()),
  }),
);

export type Status = z.infer<ReturnType<typeof statusFile>>;

export function initialStatus(role: Role): Status {
  return { role, status: "idle", task: "", updated: null };
}

export function printStatus(status: Status): string {
  return `${JSON.stringify(status)}\n`;
}

export function parseStatus(role: Role, text: string): Status | undefined {
  try {
    const status = statusFile().parse(JSON.parse(text));
    return status.role === role ? status : undefined;
  } catch {
    return undefined;
  }
}
