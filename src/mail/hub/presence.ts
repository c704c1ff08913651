/**
 * Which machine a role is on: each relay says so on the board every few seconds, and the hub removes it when it has
 * not been said for a while. So no clocks are compared.
 */
import * as z from "zod/mini";
import type { Role } from "../../army/roles.ts";
import { lazily } from "../../system/lazily.ts";
import { OvldError } from "../../system/ovld-error.ts";
import { parseJson } from "../../system/parse-json.ts";
import { readBoard, writeBoard } from "./board.ts";
import type { Link } from "./link.ts";
import { HUB_FORMAT } from "./membership.ts";

const SAY_EVERY_MS = 5_000;
const HEARD_FOR_SECONDS = 15;

const presenceOnHub = lazily(() =>
  z.object({
    format: z.int(),
    machine: z.string(),
    /** Two copies of one join file have the same machine, but not the same host. */
    host: z.string(),
    process: z.string(),
  }),
);

type HubPresence = z.infer<ReturnType<typeof presenceOnHub>>;

/** Undefined if no relay of the role has been heard lately. */
export async function readPresence(link: Link, role: Role): Promise<HubPresence | undefined> {
  const text = await readBoard(link, "presence", role);
  const parsed = text === undefined ? undefined : presenceOnHub().safeParse(parseJson(text));
  return parsed?.success ? parsed.data : undefined;
}

/** Throws if the role is on another machine. */
export async function requireRoleFree(link: Link, role: Role, host: string): Promise<void> {
  const found = await readPresence(link, role);
  if (found !== undefined && found.host !== host) {
    throw new OvldError({
      code: "hub-role-taken",
      facts: { role, machine: `${found.machine} (${found.host})` },
    });
  }
}

export function keepPresent(
  link: Link,
  role: Role,
  { machine, process, host }: { machine: string; process: string; host: string },
): { close: () => void } {
  const value: HubPresence = { format: HUB_FORMAT, machine, host, process };
  const say = (): void =>
    void writeBoard(link, {
      kind: "presence",
      user: role,
      text: JSON.stringify(value),
      ttlSeconds: HEARD_FOR_SECONDS,
    });
  link.onUp(say);
  say();
  const repeat = setInterval(say, SAY_EVERY_MS).unref();
  return { close: () => clearInterval(repeat) };
}
