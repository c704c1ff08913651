/** Removes the store: only what the store created, and never through a link. */
import { lstatSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { removeTree } from "../../system/durable-files.ts";
import { explainFileError, hasErrorCode } from "../../system/file-error.ts";
import { OvldError } from "../../system/ovld-error.ts";
import { isFolder } from "../../system/paths.ts";
import { LIVING_FOLDERS, STORE_FILES, STORE_FOLDERS, storePaths } from "./paths.ts";
import { isHalfMade, readFormat } from "./store.ts";

export interface Cleanup {
  /** What stayed in the relay folder because the store did not create it. */
  left: string[];
}

export function cleanUpStore(root: string, { keepMail } = { keepMail: false }): Cleanup {
  try {
    if (!lstatSync(root).isDirectory()) {
      throw new OvldError({ code: "store-foreign", facts: { path: root } });
    }
    const isKept = (name: string): boolean => keepMail && !LIVING_FOLDERS.includes(name);
    if (isOurs(root)) removeStore(root, isKept);
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

/** Without the store's mark the folder belongs to someone else, whatever the names in it. Throws if the mark is not ours. */
function isOurs(root: string): boolean {
  return readFormat(storePaths(root)) !== undefined || isHalfMade(root);
}

function removeStore(root: string, isKept: (name: string) => boolean): void {
  removeFolders(
    root,
    STORE_FOLDERS.filter((name) => !isKept(name)),
  );
  for (const name of STORE_FILES) {
    if (isKept(name)) continue;
    const path = join(root, name);
    if (lstatSync(path, { throwIfNoEntry: false })?.isFile()) rmSync(path);
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
