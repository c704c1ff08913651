/** What is done with a store as a whole: it is examined, copied and removed. */
import {
  accessSync,
  constants,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmdirSync,
  rmSync,
  statfsSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { copyFile, removeTree, shareFile, syncFile, syncFolder } from "../../system/durable-files.ts";
import { explainFileError, hasErrorCode } from "../../system/file-error.ts";
import { OvldError, type ErrorReport } from "../../system/ovld-error.ts";
import { isFolder, listFolder } from "../../system/paths.ts";
import { isProcessAlive } from "../../system/process.ts";
import { readArmyFile } from "../records/army-record.ts";
import {
  MACHINES_FOLDER,
  LIVING_FOLDERS,
  STORE_FILES,
  STORE_FOLDERS,
  STORE_FORMAT,
  storePaths,
  type StorePaths,
} from "./paths.ts";
import { isForeign, isHalfMade, readFormat } from "./store.ts";

/** What prevents a store from being used; undefined if it is sound, or if there is none. Changes nothing. */
export function diagnoseStore(paths: StorePaths): ErrorReport | undefined {
  const { root, journal, segments, army } = paths;
  try {
    const found = readFormat(paths) ?? STORE_FORMAT;
    if (found > STORE_FORMAT)
      return { code: "store-newer", facts: { path: root, found, known: STORE_FORMAT } };
    const path =
      STORE_FOLDERS.map((name) => join(root, name)).find(isForeign) ??
      (isReadable(journal, constants.R_OK) && !isFolder(journal) ? undefined : journal) ??
      (isReadable(segments, constants.R_OK | constants.X_OK) ? undefined : segments);
    if (path !== undefined) return { code: "store-foreign", facts: { path } };
    const file = readArmyFile(paths);
    if (file === undefined || "record" in file) return undefined;
    return { code: "army-file", facts: { path: army, problem: file.problem } };
  } catch (error) {
    const explained = explainFileError(error, root);
    if (explained instanceof OvldError) return explained.report;
    throw error;
  }
}

/** True as well if nothing is there: the army may just be ending. */
function isReadable(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch (error) {
    return hasErrorCode(error, "ENOENT");
  }
}

const OTHERS = 0o077;

/** The files other than mail in a store. Changes nothing. */
export function takeInventory(paths: StorePaths) {
  const folders = [paths.root, ...STORE_FOLDERS.map((name) => join(paths.root, name))];
  return {
    /** Unfinished files whose writers died. */
    leftovers: listFolder(paths.tmp).filter((name) => !isProcessAlive(name)).length,
    /** Broken files that were set aside, and the folder they are in. */
    quarantined: listFolder(paths.quarantine).length,
    quarantine: paths.quarantine,
    /** The first of the store's folders that other users can access. */
    open: folders.find((path) => ((lstatSync(path, { throwIfNoEntry: false })?.mode ?? 0) & OTHERS) !== 0),
    freeBytes: freeBytesAt(paths.root),
  };
}

function freeBytesAt(path: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  } catch {
    return undefined;
  }
}

export interface CopyOptions {
  /** Whether the copy will be written to; then files that are appended to are really copied. */
  forUse: boolean;
}

/**
 * Copies what outlives an army into a new folder: mail, statuses, conversations and journal, without the folders that
 * only a running army needs.
 *
 * The copy is complete and synced when this returns. Callers copy to a temporary place and then move the folder, so
 * that a copy is there completely or not at all. Files that are only ever replaced or moved get a second name instead
 * of a copy. Links, pipes and other things that the store did not create are left out.
 */
export function copyStore(from: string, to: string, { forUse }: CopyOptions): void {
  mkdirSync(to, { mode: 0o700 });
  const copies = (path: string): boolean => forUse && isAppendedTo(from, path);
  for (const name of STORE_FOLDERS) {
    if (name === MACHINES_FOLDER && !isFolder(join(from, name))) continue;
    if (!LIVING_FOLDERS.includes(name)) copyFolder(join(from, name), join(to, name), copies);
  }
  // In this order, so that the store's mark comes last.
  for (const name of STORE_FILES) copyEntry(join(from, name), join(to, name), copies);
  syncFolder(to);
}

type Copies = (path: string) => boolean;

/** A folder that may not be read cannot be removed either: it stays where it is, and removing it reports the error. */
function copyFolder(from: string, to: string, copies: Copies): void {
  mkdirSync(to, { mode: 0o700 });
  for (const name of isFolder(from) ? listFolder(from) : []) {
    const [path, copy] = [join(from, name), join(to, name)];
    if (isFolder(path)) copyFolder(path, copy, copies);
    else copyEntry(path, copy, copies);
  }
  syncFolder(to);
}

function copyEntry(path: string, copy: string, copies: Copies): void {
  if (!isFile(path)) return;
  if (copies(path)) copyFile(path, copy);
  else shareFile(path, copy);
  // Lines of the journal are not synced when they are written.
  if (path.endsWith(LINES_ENDING)) syncFile(copy);
}

const LINES_ENDING = ".jsonl";

/** The journal and the transcripts of practice agents; numbered journal files never change again. */
function isAppendedTo(root: string, path: string): boolean {
  return path.endsWith(LINES_ENDING) && dirname(path) !== storePaths(root).segments;
}

/**
 * Removes the store: all of it, or all except what outlives an army; only what the store created, and never through a
 * link. Without the store's mark the folder belongs to someone else, whatever the names in it. Returns what stayed in
 * the relay folder because the store did not create it.
 */
export function cleanUpStore(root: string, { keepMail } = { keepMail: false }): { left: string[] } {
  try {
    if (!lstatSync(root).isDirectory()) {
      throw new OvldError({ code: "store-foreign", facts: { path: root } });
    }
    const isKept = (name: string): boolean => keepMail && !LIVING_FOLDERS.includes(name);
    const isOurs = readFormat(storePaths(root)) !== undefined || isHalfMade(root);
    if (isOurs) removeStore(root, isKept);
    const names = readdirSync(root);
    if (names.length === 0) rmdirSync(root);
    const own: readonly string[] = [...STORE_FOLDERS, ...STORE_FILES];
    return {
      left: names.filter((name) => !(own.includes(name) && isKept(name))).map((name) => join(root, name)),
    };
  } catch (error) {
    if (hasErrorCode(error, "ENOENT")) return { left: [] };
    throw explainFileError(error, root);
  }
}

function removeStore(root: string, isKept: (name: string) => boolean): void {
  const [folders, files] = [STORE_FOLDERS, STORE_FILES].map((names) => names.filter((name) => !isKept(name)));
  removeFolders(root, folders ?? []);
  for (const path of (files ?? []).map((name) => join(root, name))) if (isFile(path)) rmSync(path);
}

/** Throws if a folder cannot be removed, after all others have been. A link in place of one is left alone. */
export function removeFolders(root: string, names: readonly string[]): void {
  let refusal: Error | undefined;
  for (const path of names.map((name) => join(root, name))) {
    if (!isFolder(path)) continue;
    try {
      removeTree(path);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      refusal ??= error;
    }
  }
  if (refusal !== undefined) throw refusal;
}

function isFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
