/** What a role says about itself, and how it is stored in a file. */
import { STATUSES, type StatusWord } from "../../army/words.ts";
import * as z from "zod/mini";
import { ROLES, type Role } from "../../army/roles.ts";
import { cleanLine } from "../../system/clean-text.ts";
import { lazily } from "../../system/async.ts";
import { replaceFile } from "../../system/durable-files.ts";
import { asideFor, access, type Store } from "../store/store.ts";
import { record } from "../journal/journal.ts";
import { tolerate } from "../store/held-mail.ts";
import { LIMITS, requireLength } from "../store/message.ts";
import { quarantine } from "../store/quarantine.ts";
import { readPlainFile } from "../../system/read-file.ts";

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

/** The status board: one file per role, always replaced as a whole. */

/** What the role last said about itself. A file that cannot be read is set aside and counts as missing. */
export function readStatus(store: Store, role: Role): Status {
  return access(store, () => {
    const path = store.paths.status(role);
    const file = readPlainFile(path, LIMITS.messageFileBytes);
    if ("missing" in file || "unreadable" in file) return initialStatus(role);
    const status = "text" in file ? parseStatus(role, file.text) : undefined;
    if (status) return status;
    const why = "broken" in file ? file.broken : "not a status";
    tolerate(store, role, path, () => quarantine(store, path, { role, why }));
    return initialStatus(role);
  });
}

/** The same without changing anything, for commands that only look. */
export function peekStatus(store: Store, role: Role): Status {
  const file = readPlainFile(store.paths.status(role), LIMITS.messageFileBytes);
  return ("text" in file ? parseStatus(role, file.text) : undefined) ?? initialStatus(role);
}

export function writeStatus(store: Store, role: Role, status: StatusWord, task: string): Status {
  const line = cleanLine(task);
  requireLength("task", line, "characters", LIMITS.taskCharacters);
  return access(store, () => {
    const entry: Status = { role, status, task: line, updated: new Date(store.now()).toISOString() };
    replaceFile({ aside: asideFor(store), target: store.paths.status(role), content: printStatus(entry) });
    record(store, [{ event: "status", role, status, task: line }]);
    return entry;
  });
}
