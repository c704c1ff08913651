/** The pending flag: while it stands, its role has been rung for and more mail does not ring again. */
import { lstatSync, unlinkSync } from "node:fs";
import * as z from "zod/mini";
import { SENDERS, type Role } from "../army/roles.ts";
import { publishNewFile, replaceFile } from "../system/durable-files.ts";
import { hasErrorCode } from "../system/file-error.ts";
import { lazily } from "../system/lazily.ts";
import { WAYS } from "../army/words.ts";
import { asideFor } from "./aside.ts";
import { LIMITS } from "./limits.ts";
import { quarantine } from "./quarantine.ts";
import { readPlainFile } from "../system/read-plain-file.ts";
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
  return access(store, foldersOf(store), () => publishNewFile(flagFile(store, role, note)));
}

/** Says by whom and how it was rung again. */
export function renewFlag(store: Store, role: Role, note: FlagNote): void {
  access(store, foldersOf(store), () => {
    setFolderAside(store, role);
    replaceFile(flagFile(store, role, note));
  });
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
  setFolderAside(store, role);
  try {
    unlinkSync(store.paths.pending(role));
  } catch (error) {
    if (!hasErrorCode(error, "ENOENT")) throw error;
  }
}

/** A folder in its place can be neither replaced nor removed as a flag is, and would mute the role for good. */
function setFolderAside(store: Store, role: Role): void {
  const path = store.paths.pending(role);
  const isFolder = lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  if (isFolder) quarantine(store, path, { role, why: "a folder in place of the flag" });
}

function foldersOf({ paths }: Store): string[] {
  return [paths.flags, paths.tmp];
}

function flagFile(store: Store, role: Role, note: FlagNote) {
  return {
    aside: asideFor(store),
    target: store.paths.pending(role),
    content: `${JSON.stringify({ at: new Date(store.now()).toISOString(), ...note })}\n`,
  };
}
