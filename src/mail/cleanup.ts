/**
 * Removes the store: only what the store created, and never through a link.
 *
 * Each folder is moved to a private place before it is deleted, so replacing it with a link at that moment cannot
 * redirect the deletion.
 */
import { lstatSync, mkdtempSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { moveFile } from "../system/durable-files.ts";
import { explainFileError, hasErrorCode } from "../system/file-error.ts";
import { OvldError } from "../system/ovld-error.ts";
import { isHalfMade } from "./half-made.ts";
import { STORE_FILES, STORE_FOLDERS, storePaths } from "./paths.ts";

export interface Cleanup {
  /** What stayed in the relay folder because the store did not create it. */
  left: string[];
}

/** Needed only while the army is running. */
const OF_THE_LIVING: readonly string[] = ["pending", "tmp", "presence", "agents", "locks"];

export function cleanUpStore(root: string, { keepMail } = { keepMail: false }): Cleanup {
  try {
    finishDeletions(root);
    if (!lstatSync(root).isDirectory()) {
      throw new OvldError({ code: "store-foreign", facts: { path: root } });
    }
    const isKept = (name: string): boolean => keepMail && !OF_THE_LIVING.includes(name);
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

/** Without the store's mark the folder belongs to someone else, whatever the names in it. */
function isOurs(root: string): boolean {
  const mark = lstatSync(storePaths(root).format, { throwIfNoEntry: false });
  return mark === undefined ? isHalfMade(root) : mark.isFile();
}

function removeStore(root: string, isKept: (name: string) => boolean): void {
  const away = mkdtempSync(join(dirname(root), goingPrefix(root)));
  let refusal: Error | undefined;
  for (const name of STORE_FOLDERS) {
    if (isKept(name)) continue;
    const [path, gone] = [join(root, name), join(away, name)];
    if (!isFolder(path) || !moveFile(path, gone)) continue;
    try {
      // It may have been replaced by a link at the last moment; a link is moved back.
      if (isFolder(gone)) rmSync(gone, { recursive: true });
      else moveFile(gone, path);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      // What cannot be deleted must stay visible, so it is moved back.
      moveFile(gone, path);
      refusal ??= error;
      if ("path" in error) Object.assign(error, { path: String(error.path).replace(gone, path) });
    }
  }
  rmdirSync(away);
  if (refusal !== undefined) throw refusal;
  for (const name of STORE_FILES) {
    if (isKept(name)) continue;
    const path = join(root, name);
    if (lstatSync(path, { throwIfNoEntry: false })?.isFile()) rmSync(path);
  }
}

/** Finishes deletions whose process was killed. */
function finishDeletions(root: string): void {
  const parent = dirname(root);
  const begun = readdirSync(parent).filter((name) => name.startsWith(goingPrefix(root)));
  for (const path of begun.map((name) => join(parent, name))) {
    if (isFolder(path)) rmSync(path, { recursive: true, force: true });
  }
}

function goingPrefix(root: string): string {
  return `.${basename(root)}.going-`;
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
