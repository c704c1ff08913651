/** Whether a folder without a mark of ours is a store whose making was cut off, and not a folder of the person's. */
import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { isRole } from "../army/roles.ts";
import { isAsideName, STORE_FOLDERS } from "./paths.ts";

/** Making a store is cut off before its mark is there, so nothing but its own empty folders and first files can lie there. */
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
