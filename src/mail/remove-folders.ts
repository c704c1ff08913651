/**
 * Removes folders that an army has created, and never through a link.
 *
 * Each folder is moved to a private place before it is deleted, so replacing it with a link at that moment cannot
 * redirect the deletion.
 */
import { lstatSync, mkdtempSync, readdirSync, rmdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { moveFile } from "../system/durable-files.ts";
import { removeTree } from "../system/remove-tree.ts";

/** Throws if a folder cannot be removed, after all others have been. */
export function removeFolders(root: string, names: readonly string[]): void {
  const away = mkdtempSync(join(dirname(root), goingPrefix(root)));
  let refusal: Error | undefined;
  for (const name of names) {
    const [path, gone] = [join(root, name), join(away, name)];
    if (!isFolder(path) || !moveFile(path, gone)) continue;
    try {
      // It may have been replaced by a link at the last moment; a link is moved back.
      if (isFolder(gone)) removeTree(gone);
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
}

/** Finishes removals whose process was killed. */
export function finishRemovals(root: string): void {
  const parent = dirname(root);
  const begun = readdirSync(parent).filter((name) => name.startsWith(goingPrefix(root)));
  for (const path of begun.map((name) => join(parent, name))) {
    if (isFolder(path)) removeTree(path);
  }
}

function goingPrefix(root: string): string {
  return `.${basename(root)}.going-`;
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
