/**
 * Removes a file, or a folder with everything in it, and never through a link, even if another process replaces a
 * folder with a link in the middle.
 *
 * Each folder is opened without following a link, and what is in it is reached through the open folder. Only Linux has
 * a name for an open folder; elsewhere the removal of Node.js has to do.
 */
import {
  closeSync,
  constants,
  existsSync,
  lstatSync,
  openSync,
  readdirSync,
  rmdirSync,
  rmSync,
  unlinkSync,
} from "node:fs";
import { hasErrorCode } from "./file-error.ts";

const OPEN_FOLDERS = "/proc/self/fd";
const AS_FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
/** A process that is just ending may still add something. */
const MOST_ATTEMPTS = 5;

/** What is already gone is no error. */
export function removeTree(path: string): void {
  if (existsSync(OPEN_FOLDERS)) removeEntry(Buffer.from(path), path);
  else rmSync(path, { recursive: true, force: true });
}

/** `shown` is the path for errors. */
function removeEntry(path: Buffer, shown: string): void {
  const found = unlessGone(path, shown, () => lstatSync(path));
  if (found === undefined) return;
  if (!found.isDirectory()) return unlessGone(path, shown, () => unlinkSync(path));
  for (let attempt = 1; ; attempt += 1) {
    emptyFolder(path, shown);
    try {
      return unlessGone(path, shown, () => rmdirSync(path));
    } catch (error) {
      if (attempt === MOST_ATTEMPTS || !hasErrorCode(error, "ENOTEMPTY", "EEXIST")) throw error;
    }
  }
}

function emptyFolder(path: Buffer, shown: string): void {
  const folder = unlessGone(path, shown, () => openSync(path, AS_FOLDER));
  if (folder === undefined) return;
  try {
    const inside = Buffer.from(`${OPEN_FOLDERS}/${folder}/`);
    // As bytes, because a name need not be UTF-8.
    for (const name of unlessGone(inside, shown, () => readdirSync(inside, "buffer")) ?? [])
      removeEntry(Buffer.concat([inside, name]), `${shown}/${name.toString()}`);
  } finally {
    closeSync(folder);
  }
}

function unlessGone<Result>(path: Buffer, shown: string, action: () => Result): Result | undefined {
  try {
    return action();
  } catch (error) {
    if (hasErrorCode(error, "ENOENT")) return undefined;
    if (error instanceof Error && path.toString() !== shown)
      Object.assign(error, { path: shown, message: error.message.replace(path.toString(), shown) });
    throw error;
  }
}
