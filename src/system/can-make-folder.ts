/** Whether a folder is there and can be written, or could be made; undefined if so, else where it fails. */
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
    // Below a file there is nothing: the file is what stands in the way.
    return hasErrorCode(error, "ENOTDIR") ? whyNotMakeFolder(dirname(path)) : { path };
  }
}
