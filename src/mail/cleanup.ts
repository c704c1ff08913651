/** Takes the store down: what it made, nothing else, and nothing beyond a link. */
import { lstatSync, readdirSync, rmdirSync, rmSync, type Stats } from "node:fs";
import { join } from "node:path";
import { explainFileError, hasErrorCode } from "../system/file-error.ts";
import { STORE_FILES, STORE_FOLDERS } from "./paths.ts";

export interface Cleanup {
  /** What stayed in the relay folder because the store did not make it. */
  left: string[];
}

export function cleanUpStore(root: string): Cleanup {
  try {
    for (const name of STORE_FOLDERS) removeOwn(join(root, name), (found) => found.isDirectory());
    for (const name of STORE_FILES) removeOwn(join(root, name), (found) => found.isFile());
    const left = readdirSync(root).map((name) => join(root, name));
    if (left.length === 0 && lstatSync(root).isDirectory()) rmdirSync(root);
    return { left };
  } catch (error) {
    if (hasErrorCode(error, "ENOENT")) return { left: [] };
    throw explainFileError(error, root);
  }
}

/** `rmSync` removes a link that it meets on its way down, and never what the link points to. */
function removeOwn(path: string, isOurs: (found: Stats) => boolean): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found && isOurs(found)) rmSync(path, { recursive: true });
}
