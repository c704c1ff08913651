/** Where a path leads, what is in a folder, and whether a folder can be made there. */
import { accessSync, constants, lstatSync, readdirSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { hasErrorCode } from "./file-error.ts";

/** Follows every link in a path; parts that do not exist yet stay as they are. */
export function resolveLinks(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : join(resolveLinks(above), basename(path));
  }
}

/** Whether a folder exists and is writable, or could be created; undefined if so, otherwise where it fails. */
export function whyNotMakeFolder(path: string): { path: string } | undefined {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (!found) return whyNotMakeFolder(dirname(path));
    accessSync(path, constants.W_OK | constants.X_OK);
    return found.isDirectory() ? undefined : { path };
  } catch (error) {
    // The path leads through a file; that file is the obstacle.
    return hasErrorCode(error, "ENOTDIR") ? whyNotMakeFolder(dirname(path)) : { path };
  }
}

/** The names in a folder; none if there is no such folder, or if it cannot be read. */
export function listFolder(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

/** A link to a folder is none. */
export function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
