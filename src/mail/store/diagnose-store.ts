/** Finds what is wrong with a store, and which files other than mail it contains, without changing anything. */
import { accessSync, constants, lstatSync, statfsSync } from "node:fs";
import { join } from "node:path";
import { explainFileError, hasErrorCode } from "../../system/file-error.ts";
import { OvldError, type ErrorReport } from "../../system/ovld-error.ts";
import { isFolder, listFolder } from "../../system/paths.ts";
import { isProcessAlive } from "../../system/process.ts";
import { readArmyFile } from "../records/army-record.ts";
import { STORE_FOLDERS, STORE_FORMAT, type StorePaths } from "./paths.ts";
import { isForeign, readFormat } from "./store.ts";

/** Undefined if the store is sound, or if there is none. */
export function diagnoseStore(paths: StorePaths): ErrorReport | undefined {
  try {
    const found = readFormat(paths) ?? STORE_FORMAT;
    if (found > STORE_FORMAT)
      return { code: "store-newer", facts: { path: paths.root, found, known: STORE_FORMAT } };
    const foreign =
      STORE_FOLDERS.map((name) => join(paths.root, name)).find(isForeign) ??
      (isFolder(paths.journal) ? paths.journal : undefined);
    const path = foreign ?? [paths.journal, paths.segments].find((each) => !mayBeRead(each));
    if (path !== undefined) return { code: "store-foreign", facts: { path } };
    const army = readArmyFile(paths);
    if (army === undefined || "record" in army) return undefined;
    return { code: "army-file", facts: { path: paths.army, problem: army.problem } };
  } catch (error) {
    const explained = explainFileError(error, paths.root);
    if (explained instanceof OvldError) return explained.report;
    throw error;
  }
}

/** Whether nothing is there, or a file or a folder that may be read. */
function mayBeRead(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return true;
  try {
    accessSync(path, found.isDirectory() ? constants.R_OK | constants.X_OK : constants.R_OK);
    return found.isFile() || found.isDirectory();
  } catch (error) {
    // The army may just be ending.
    return hasErrorCode(error, "ENOENT");
  }
}

export interface Inventory {
  /** Unfinished files whose writers died. */
  leftovers: number;
  /** Broken files that were set aside, and the folder they are in. */
  quarantined: number;
  quarantine: string;
  /** The first of the store's folders that other users can access. */
  open: string | undefined;
  freeBytes: number | undefined;
}

const OTHERS = 0o077;

export function takeInventory(paths: StorePaths): Inventory {
  const folders = [paths.root, ...STORE_FOLDERS.map((name) => join(paths.root, name))];
  return {
    leftovers: listFolder(paths.tmp).filter((name) => !isProcessAlive(name)).length,
    quarantined: listFolder(paths.quarantine).length,
    quarantine: paths.quarantine,
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
