/** The pending flag: while it stands, its role has been rung for and more mail does not ring again. */
import { unlinkSync } from "node:fs";
import * as z from "zod/mini";
import { SENDERS, type Role } from "../army/roles.ts";
import { publishNewFile, replaceFile } from "../system/durable-files.ts";
import { hasErrorCode } from "../system/file-error.ts";
import { lazily } from "../system/lazily.ts";
import { WAYS } from "./agent-report.ts";
import { asideFor } from "./aside.ts";
import { LIMITS } from "./limits.ts";
import { readPlainFile } from "./read-plain-file.ts";
import { access, type Store } from "./store.ts";

const flagNote = lazily(() =>
  z.object({
    /** Who rang. */
    by: z.enum(SENDERS),
    /** The identity of the process that rang: the flag of a dead one is nobody's. */
    ringer: z.string(),
    way: z.enum(WAYS),
  }),
);

const flagContent = lazily(() => z.extend(flagNote(), { at: z.iso.datetime() }));

export type FlagNote = z.infer<ReturnType<typeof flagNote>>;

export type Flag = z.infer<ReturnType<typeof flagContent>>;

/** True for exactly one of all who try at once. */
export function raiseFlag(store: Store, role: Role, note: FlagNote): boolean {
  return access(store, () => publishNewFile(flagFile(store, role, note)));
}

/** Says by whom and how it was rung again. */
export function renewFlag(store: Store, role: Role, note: FlagNote): void {
  access(store, () => replaceFile(flagFile(store, role, note)));
}

/** Undefined if it is down; a flag that cannot be read is nobody's. */
export function readFlag(store: Store, role: Role): Flag | "unreadable" | undefined {
  const file = readPlainFile(store.paths.pending(role), LIMITS.messageFileBytes);
  if ("missing" in file) return undefined;
  if (!("text" in file)) return "unreadable";
  try {
    return flagContent().parse(JSON.parse(file.text));
  } catch {
    return "unreadable";
  }
}

export function lowerFlag(store: Store, role: Role): void {
  try {
    unlinkSync(store.paths.pending(role));
  } catch (error) {
    if (!hasErrorCode(error, "ENOENT")) throw error;
  }
}

function flagFile(store: Store, role: Role, note: FlagNote) {
  return {
    aside: asideFor(store),
    target: store.paths.pending(role),
    content: `${JSON.stringify({ at: new Date(store.now()).toISOString(), ...note })}\n`,
  };
}
