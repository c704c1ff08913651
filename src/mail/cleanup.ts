/** Takes the store down: what it made, nothing else, and nothing beyond a link. */
import { lstatSync, readdirSync, rmdirSync, rmSync, type Stats } from "node:fs";
import { join } from "node:path";
import { explainFileError, hasErrorCode } from "../system/file-error.ts";
import { STORE_FILES, STORE_FOLDERS } from "./paths.ts";

export interface Cleanup {
  /** What stayed in the relay folder because the store did not make it. */
  left: string[];
}

/** What only a living army has use for. */
const OF_THE_LIVING: readonly string[] = ["pending", "tmp", "presence", "agents", "locks"];

export function cleanUpStore(root: string, { keepMail } = { keepMail: false }): Cleanup {
  try {
    const isKept = (name: string): boolean => keepMail && !OF_THE_LIVING.includes(name);
    const kept: string[] = [...STORE_FOLDERS, ...STORE_FILES].filter(isKept);
    for (const name of STORE_FOLDERS)
      if (!isKept(name)) removeOwn(join(root, name), (found) => found.isDirectory());
    for (const name of STORE_FILES) if (!isKept(name)) removeOwn(join(root, name), (found) => found.isFile());
    const names = readdirSync(root);
    if (names.length === 0 && lstatSync(root).isDirectory()) rmdirSync(root);
    return { left: names.filter((name) => !kept.includes(name)).map((name) => join(root, name)) };
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
