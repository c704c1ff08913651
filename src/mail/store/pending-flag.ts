/** The pending flag: while it is up, its role has been rung, and more mail does not ring again. */
import { lstatSync, unlinkSync } from "node:fs";
import * as z from "zod/mini";
import { SENDERS, type Role } from "../../army/roles.ts";
import { publishNewFile, replaceFile } from "../../system/durable-files.ts";
import { hasErrorCode } from "../../system/file-error.ts";
import { lazily } from "../../system/async.ts";
import { WAYS } from "../../army/words.ts";
import { asideFor, access, type Store } from "./store.ts";
import { LIMITS } from "./message.ts";
import { quarantine } from "./quarantine.ts";
import { readPlainFile } from "../../system/read-file.ts";

const flagNote = lazily(() =>
  z.object({
    /** Which sender rang. */
    by: z.enum(SENDERS),
    /** The process that rang; once it is dead, the flag no longer counts. */
    ringer: z.string(),
    way: z.enum(WAYS),
  }),
);

const flagContent = lazily(() => z.extend(flagNote(), { at: z.iso.datetime() }));

export type FlagNote = z.infer<ReturnType<typeof flagNote>>;

export type Flag = z.infer<ReturnType<typeof flagContent>>;

/** True for exactly one of the processes that try at the same time. */
export function raiseFlag(store: Store, role: Role, note: FlagNote): boolean {
  return access(store, () => publishNewFile(flagFile(store, role, note)));
}

/** Records who rang again, and how. */
export function renewFlag(store: Store, role: Role, note: FlagNote): void {
  access(store, () => {
    setFolderAside(store, role);
    replaceFile(flagFile(store, role, note));
  });
}

/** Undefined if the flag is down; an unreadable flag does not count. */
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
  setFolderAside(store, role);
  try {
    unlinkSync(store.paths.pending(role));
  } catch (error) {
    if (!hasErrorCode(error, "ENOENT")) throw error;
  }
}

/**
 * A folder instead of the flag can be neither replaced nor removed like a flag, and would silence the role for good.
 */
function setFolderAside(store: Store, role: Role): void {
  const path = store.paths.pending(role);
  const isFolder = lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  if (!isFolder) return;
  quarantine(store, path, { role, why: "a folder in place of the flag" });
}

function flagFile(store: Store, role: Role, note: FlagNote) {
  return {
    aside: asideFor(store),
    target: store.paths.pending(role),
    content: `${JSON.stringify({ at: new Date(store.now()).toISOString(), ...note })}\n`,
  };
}
