/** Whether a folder exists and is writable, or could be created; undefined if so, otherwise where it fails. */
import { accessSync, constants, statSync } from "node:fs";
import { dirname } from "node:path";
import { hasErrorCode } from "./file-error.ts";

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
