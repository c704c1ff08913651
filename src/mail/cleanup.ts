/**
 * Takes the store down: what it made, nothing else, and nothing beyond a link.
 *
 * Each folder is moved out of the way, into one that nobody else knows, before it is deleted. Whoever puts a link in its
 * place meanwhile cannot lead the deletion elsewhere.
 */
import { lstatSync, mkdtempSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { moveFile } from "../system/durable-files.ts";
import { explainFileError, hasErrorCode } from "../system/file-error.ts";
import { OvldError } from "../system/ovld-error.ts";
import { isHalfMade } from "./half-made.ts";
import { STORE_FILES, STORE_FOLDERS, storePaths } from "./paths.ts";

export interface Cleanup {
  /** What stayed in the relay folder because the store did not make it. */
  left: string[];
}

/** What only a living army has use for. */
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

/** Without its mark a folder is somebody else's, whatever the names in it. */
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
      // It may have been exchanged for a link in the last moment: that is put back.
      if (isFolder(gone)) rmSync(gone, { recursive: true });
      else moveFile(gone, path);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      // What cannot be deleted is not to be hidden either.
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

/** What somebody was deleting who was killed over it. */
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
