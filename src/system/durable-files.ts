/**
 * Files that survive a crash. Only this file renames, links or syncs.
 *
 * The order is always: create a temporary file, write all of it, sync it, publish it in one atomic step, sync the
 * folder; a file that is published `early` is synced after that step. A process that is killed in between leaves
 * either nothing or one complete file at the destination, and perhaps a temporary file, which anyone may remove once
 * its owner is dead. All calls are synchronous on purpose: each is short, and within one process nothing comes between.
 */
import {
  chmodSync,
  chownSync,
  closeSync,
  copyFileSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
  constants,
  type Stats,
} from "node:fs";
import { dirname } from "node:path";
import { tryTo, hasErrorCode } from "./file-error.ts";

/** The points of a publication at which a process may die; a test stops at each of them. */
export type PublishStep = "created" | "written" | "synced" | "published" | "durable" | "tidied";

export interface Publication {
  target: string;
  content: string;
  /** The temporary name; a new one next to the target if not given. */
  aside?: string;
  /** Its permissions; 0600 if not given. */
  mode?: number | undefined;
  /** False for files that need not survive a power cut; then nothing is synced. */
  lasting?: boolean;
  /**
   * Publishes the file before it is synced: file systems with a journal then store content and name in one go. A power
   * cut in between may leave an incomplete file, so this is for files whose readers set such a file aside.
   */
  early?: boolean;
  /**
   * Called when the file is in place and synced, just before its temporary name is removed: if a dead process has left
   * a temporary name of a file that is in place, this may not have happened.
   */
  whenDurable?: () => void;
  /** For tests. */
  onStep?: ((step: PublishStep) => void) | undefined;
}

/** Puts a new file in place without ever overwriting one; false if the name is taken. */
export function publishNewFile(publication: Publication): boolean {
  const { target, early = false, onStep } = publication;
  const isNew = withAside(publication, ({ aside, sync }) => {
    if (!early) sync();
    if (!linkNew(aside, target)) return false;
    onStep?.("published");
    syncOrTakeBack(target, () => {
      if (early) sync();
      syncPath(dirname(target));
    });
    onStep?.("durable");
    publication.whenDurable?.();
    return true;
  });
  if (isNew) onStep?.("tidied");
  return isNew;
}

/** Replaces a file, or creates it; a reader sees either the complete old file or the complete new one. */
export function replaceFile(publication: Publication): void {
  replaceIf(publication, () => true);
}

/**
 * The same for a file that others write too: it keeps its mode and owner, and is replaced only if it is still
 * unchanged once the new content has been written. Otherwise nothing happens and the result is false.
 */
export function replaceUnchanged(publication: Publication, isUnchanged: () => boolean): boolean {
  const old = statSync(publication.target, { throwIfNoEntry: false });
  return replaceIf(publication, (aside) => {
    if (old) takeOver(aside, old);
    return isUnchanged();
  });
}

function replaceIf(publication: Publication, mayReplace: (aside: string) => boolean): boolean {
  const { target, lasting = true } = publication;
  const isReplaced = withAside(publication, ({ aside, sync }) => {
    sync();
    if (!mayReplace(aside)) return false;
    renameSync(aside, target);
    return true;
  });
  if (isReplaced && lasting) syncPath(dirname(target));
  return isReplaced;
}

function takeOver(path: string, { mode, uid, gid }: Stats): void {
  const made = statSync(path);
  if (made.uid !== uid || made.gid !== gid) chownSync(path, uid, gid);
  chmodSync(path, mode & 0o7777);
}

interface Aside {
  aside: string;
  /** By its number, because a reader may already have moved the file. */
  sync: () => void;
}

/** Writes the temporary file and uses it; whatever happens, its temporary name is gone afterwards. */
function withAside<Result>(publication: Publication, use: (written: Aside) => Result): Result {
  const { target, content, aside = asideBeside(target), mode = 0o600, lasting = true, onStep } = publication;
  const file = openSync(aside, "wx", mode);
  try {
    onStep?.("created");
    writeFileSync(file, content);
    onStep?.("written");
    const sync = (): void => {
      if (lasting) fsyncSync(file);
      onStep?.("synced");
    };
    return use({ aside, sync });
  } finally {
    removeAside(aside);
    closeSync(file);
  }
}

/** Moves a file; false if another process moved it first. */
export function moveFile(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if (hasErrorCode(error, "ENOENT")) return false;
    throw error;
  }
}

/** Gives a file an additional name, which need not survive a crash. */
export function addName(file: string, name: string): void {
  linkSync(file, name);
}

/** The errors of a file system that cannot give a file a second name, or not in that folder. */
const NO_SECOND_NAME = ["EXDEV", "EPERM", "EMLINK", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"];

/** Gives a file that is no longer written a second name in another folder, or copies it if that is impossible. */
export function shareFile(file: string, name: string): void {
  try {
    linkSync(file, name);
  } catch (error) {
    if (!hasErrorCode(error, ...NO_SECOND_NAME)) throw error;
    copyFile(file, name);
  }
}

/** Copies a file and makes the copy's content, but not yet its name, survive a power cut. */
export function copyFile(file: string, copy: string): void {
  copyFileSync(file, copy, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  syncPath(copy);
}

/** Makes the names in a folder survive a power cut, or the content of a file. */
export function syncPath(path: string): void {
  const file = openSync(path, constants.O_RDONLY);
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** A new name next to a file, for its next version; it never clashes with a name that a killed process left behind. */
function asideBeside(target: string): string {
  return `${target}.${process.pid}-${Math.random().toString(36).slice(2, 8)}`;
}

/** False if the name is taken. */
function linkNew(file: string, name: string): boolean {
  try {
    linkSync(file, name);
    return true;
  } catch (error) {
    if (hasErrorCode(error, "EEXIST")) return false;
    throw error;
  }
}

/** Never makes the operation fail: a leftover file does no harm. */
function removeAside(aside: string): void {
  // The store removes it later, once its owner is dead.
  tryTo(() => unlinkSync(aside));
}

/**
 * A file that cannot be synced must not be reported as stored, so it is withdrawn. If a reader took it at that very
 * moment, it has arrived and stays reported as stored; if its folder is gone, so is the file.
 */
function syncOrTakeBack(target: string, sync: () => void): void {
  try {
    sync();
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

/**
 * Removes a file, or a folder with everything in it. Links are not followed, and what is already gone is no error. It
 * tries more than once, because a process that is just ending may still add a file.
 */
export function removeTree(path: string): void {
  rmSync(path, { recursive: true, force: true, maxRetries: 5 });
}
