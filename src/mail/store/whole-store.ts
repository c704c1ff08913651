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
import { copyFile, removeTree, shareFile, syncPath } from "../../system/durable-files.ts";
import { tryTo, explainFileError, hasErrorCode } from "../../system/file-error.ts";
import { OvldError, type ErrorReport } from "../../system/ovld-error.ts";
import { isFile, isFolder, listFolder } from "../../system/paths.ts";
import { isProcessAlive } from "../../system/process.ts";
import { readArmyFile } from "../records/army-record.ts";
import { LIVING_FOLDERS, STORE_FILES, STORE_FOLDERS, STORE_FORMAT } from "./paths.ts";
import { findForeign, isHalfMade, readFormat, type Store } from "./store.ts";

/** What prevents a store from being used; undefined if it is sound, or if there is none. Changes nothing. */
export function diagnoseStore({ paths }: Store): ErrorReport | undefined {
  const { root, journal, segments, army } = paths;
  try {
    const found = readFormat(paths) ?? STORE_FORMAT;
    if (found > STORE_FORMAT)
      return { code: "store-newer", facts: { path: root, found, known: STORE_FORMAT } };
    const path =
      findForeign(root) ??
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
export function takeInventory({ paths: { root, tmp, quarantine } }: Store) {
  const folders = [root, ...STORE_FOLDERS.map((name) => join(root, name))];
  const disk = tryTo(() => statfsSync(root));
  return {
    /** Unfinished files whose writers died. */
    leftovers: listFolder(tmp).filter((name) => !isProcessAlive(name)).length,
    /** Broken files that were set aside, and the folder they are in. */
    quarantined: listFolder(quarantine).length,
    quarantine,
    /** The first of the store's folders that other users can access. */
    open: folders.find((path) => ((lstatSync(path, { throwIfNoEntry: false })?.mode ?? 0) & OTHERS) !== 0),
    freeBytes: disk && disk.bavail * disk.bsize,
  };
}

/**
 * Copies what outlives an army into a new folder: mail, statuses, conversations and journal, without the folders that
 * only a running army needs. `forUse` says whether the copy will be written to.
 *
 * The copy is complete and synced when this returns. Callers copy to a temporary place and then move the folder, so
 * that a copy is there completely or not at all. Files that are only ever replaced or moved get a second name instead
 * of a copy. Links, pipes and other things that the store did not create are left out.
 */
export function copyStore({ paths }: Store, to: string, { forUse }: { forUse: boolean }): void {
  const copyEntry = (path: string, copy: string): void => {
    if (isFolder(path)) {
      mkdirSync(copy, { mode: 0o700 });
      // A folder that may not be read cannot be removed either: it stays, and removing it reports the error.
      for (const name of listFolder(path)) copyEntry(join(path, name), join(copy, name));
      syncPath(copy);
    } else if (isFile(path)) {
      const isLog = path.endsWith(".jsonl");
      // Only the current journal and the transcripts of practice agents are appended to.
      if (forUse && isLog && dirname(path) !== paths.segments) copyFile(path, copy);
      else shareFile(path, copy);
      // Lines of the journal are not synced when they are written.
      if (isLog) syncPath(copy);
    }
  };
  mkdirSync(to, { mode: 0o700 });
  const lasting = STORE_FOLDERS.filter((name) => !LIVING_FOLDERS.includes(name));
  // In this order, so that the store's mark comes last.
  for (const name of [...lasting, ...STORE_FILES]) copyEntry(join(paths.root, name), join(to, name));
  syncPath(to);
}

/**
 * Removes the store: all of it, or all except what outlives an army; only what the store created, and never through a
 * link. Without the store's mark the folder belongs to someone else, whatever the names in it. Returns what stayed in
 * the relay folder because the store did not create it.
 */
export function cleanUpStore({ paths }: Store, { keepMail } = { keepMail: false }): { left: string[] } {
  const { root } = paths;
  try {
    if (!lstatSync(root).isDirectory()) {
      throw new OvldError({ code: "store-foreign", facts: { path: root } });
    }
    const isKept = (name: string): boolean => keepMail && !LIVING_FOLDERS.includes(name);
    if (readFormat(paths) !== undefined || isHalfMade(root)) {
      removeFolders(
        root,
        STORE_FOLDERS.filter((name) => !isKept(name)),
      );
      const files = STORE_FILES.filter((name) => !isKept(name)).map((name) => join(root, name));
      for (const path of files) if (isFile(path)) rmSync(path);
    }
    const names = readdirSync(root);
    if (names.length === 0) rmdirSync(root);
    const own: readonly string[] = [...STORE_FOLDERS, ...STORE_FILES];
    const left = names.filter((name) => !(own.includes(name) && isKept(name)));
    return { left: left.map((name) => join(root, name)) };
  } catch (error) {
    if (hasErrorCode(error, "ENOENT")) return { left: [] };
    throw explainFileError(error, root);
  }
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
