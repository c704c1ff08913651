/**
 * Whether a folder without the store's mark is a store whose creation was interrupted, rather than the person's own
 * folder.
 */
import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { isRole } from "../../army/roles.ts";
import { isAsideName, STORE_FOLDERS } from "./paths.ts";

/** The mark is written last, so an interrupted creation leaves only empty store folders and their first files. */
export function isHalfMade(root: string): boolean {
  return readdirSync(root).every(
    (name) => STORE_FOLDERS.some((folder) => folder === name) && isFresh(join(root, name), name),
  );
}

function isFresh(path: string, name: string): boolean {
  if (!lstatSync(path).isDirectory()) return false;
  const entries = readdirSync(path);
  switch (name) {
    case "inbox":
    case "claimed":
    case "requests":
      return entries.every((entry) => isRole(entry) && isEmptyFolder(join(path, entry)));
    case "status":
      return entries.every((entry) => entry.endsWith(".json") && isRole(entry.slice(0, -".json".length)));
    case "tmp":
      return entries.every(isAsideName);
    default:
      return entries.length === 0;
  }
}

function isEmptyFolder(path: string): boolean {
  return lstatSync(path).isDirectory() && readdirSync(path).length === 0;
}
