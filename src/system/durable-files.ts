/**
 * Files that survive a crash. The only place in the project that renames, links or syncs.
 *
 * The order is always: create aside, write whole, sync the file, publish in one atomic step, sync the folder.
 * Whoever is killed in between leaves either nothing or one whole file at its destination, and perhaps a
 * leftover aside, which its owner's death makes anybody's to remove. All calls are synchronous on purpose: each
 * is a handful of system calls, and within one process nothing can come between them.
 */
import {
  chmodSync,
  chownSync,
  closeSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  statSync,
  unlinkSync,
  writeSync,
  constants,
  type Stats,
} from "node:fs";
import { dirname } from "node:path";
import { hasErrorCode } from "./file-error.ts";

/** The moments of a publication at which a process may die; a test visits each. */
export type PublishStep = "created" | "written" | "synced" | "published" | "tidied" | "durable";

export interface Publication {
  aside: string;
  target: string;
  content: string;
  /** False for what need not survive a power cut; nothing is synced then. */
  lasting?: boolean;
  onStep?: ((step: PublishStep) => void) | undefined;
}

/** Puts a new file in place without ever overwriting one; false if the name is taken. */
export function publishNewFile(publication: Publication): boolean {
  const { aside, target, onStep } = publication;
  writeAside(publication);
  try {
    linkSync(aside, target);
  } catch (error) {
    removeAside(aside);
    if (hasErrorCode(error, "EEXIST")) return false;
    throw error;
  }
  onStep?.("published");
  removeAside(aside);
  onStep?.("tidied");
  syncOrTakeBack(target);
  onStep?.("durable");
  return true;
}

/** Puts a file in place of the one that may be there; a reader sees the old one or the new one, whole. */
export function replaceFile({ aside, target, content, lasting = true }: Publication): void {
  writeAside({ aside, target, content, lasting });
  try {
    renameSync(aside, target);
  } catch (error) {
    removeAside(aside);
    throw error;
  }
  if (lasting) syncFolder(dirname(target));
}

/**
 * The same for a file that is not ours alone: it keeps its mode and owner, and it is replaced only if it is still as it
 * was when the new one has been written; else nothing is, and it is told by false.
 */
export function replaceUnchanged(
  { aside, target, content }: Publication,
  isUnchanged: () => boolean,
): boolean {
  const old = statSync(target, { throwIfNoEntry: false });
  writeAside({ aside, target, content });
  try {
    if (old) takeOver(aside, old);
    if (!isUnchanged()) {
      removeAside(aside);
      return false;
    }
    renameSync(aside, target);
  } catch (error) {
    removeAside(aside);
    throw error;
  }
  syncFolder(dirname(target));
  return true;
}

function takeOver(path: string, { mode, uid, gid }: Stats): void {
  const made = statSync(path);
  if (made.uid !== uid || made.gid !== gid) chownSync(path, uid, gid);
  chmodSync(path, mode & 0o7777);
}

/** Moves a file; false if somebody else moved it first. */
export function moveFile(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if (hasErrorCode(error, "ENOENT")) return false;
    throw error;
  }
}

/** Gives a file another name besides its own. It need not survive anything. */
export function addName(file: string, name: string): void {
  linkSync(file, name);
}

/** Makes the names in a folder survive a power cut. */
export function syncFolder(path: string): void {
  const folder = openSync(path, constants.O_RDONLY);
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

function writeAside({ aside, content, lasting = true, onStep }: Publication): void {
  const file = openSync(aside, "wx", 0o600);
  try {
    onStep?.("created");
    writeWhole(file, Buffer.from(content));
    onStep?.("written");
    if (lasting) fsyncSync(file);
    onStep?.("synced");
  } catch (error) {
    removeAside(aside);
    throw error;
  } finally {
    closeSync(file);
  }
}

/** A nearly full disk takes a part and says so only by the count. */
function writeWhole(file: number, bytes: Buffer): void {
  let written = 0;
  while (written < bytes.length) written += writeSync(file, bytes, written);
}

/** Never fails what it tidies up after: a leftover hinders nobody. */
function removeAside(aside: string): void {
  try {
    unlinkSync(aside);
  } catch {
    // Whoever sweeps up after the dead finds it.
  }
}

/**
 * A file whose folder cannot be synced must not be reported as kept, so it is withdrawn.
 * Where a reader took it in that very moment, it has arrived and stays reported as such; where the folder itself
 * is gone, so is the file.
 */
function syncOrTakeBack(target: string): void {
  try {
    syncFolder(dirname(target));
  } catch (error) {
    if (hasErrorCode(error, "ENOENT")) throw error;
    try {
      unlinkSync(target);
    } catch (gone) {
      if (hasErrorCode(gone, "ENOENT")) return;
    }
    throw error;
  }
}
