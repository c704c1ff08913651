/**
 * Guards against links: a link instead of one of the store's folders would lead our writes and removals out of the
 * store.
 */
import { lstatSync } from "node:fs";
import { relative, join, sep } from "node:path";
import { OvldError } from "../system/ovld-error.ts";

/** Throws if one of these folders, or one between it and the root, is something else. A missing folder is fine. */
export function requireOwnFolders(root: string, folders: readonly string[]): void {
  for (const folder of folders) {
    for (const path of pathsBetween(root, folder)) {
      const found = lstatSync(path, { throwIfNoEntry: false });
      if (found && !found.isDirectory()) throw new OvldError({ code: "store-foreign", facts: { path } });
    }
  }
}

/**
 * A store has two dozen folders, and each access checks some of them. Above this number the cache is cleared,
 * including the folders of dead readers.
 */
const known = new Map<string, string[]>();
const MOST_KNOWN = 256;

/** The folder, and the folders between it and the root. */
function pathsBetween(root: string, folder: string): string[] {
  const key = `${root}\0${folder}`;
  const found = known.get(key);
  if (found) return found;
  let path = root;
  const paths = relative(root, folder)
    .split(sep)
    .map((part) => (path = join(path, part)));
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(key, paths);
  return paths;
}
