/**
 * Copies what outlives an army from one folder to another: mail, statuses, conversations and journal, without the
 * folders that only a running army needs.
 *
 * The copy is complete and synced when this returns. Callers copy to a temporary place and then move the folder, so
 * that a copy is there completely or not at all. Files that are only ever replaced or moved get a second name instead
 * of a copy. Links, pipes and other things that the store did not create are left out.
 */
import { lstatSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { copyFile, shareFile, syncFile, syncFolder } from "../../system/durable-files.ts";
import { isFolder, listFolder } from "../../system/paths.ts";
import { HUB_FOLDER, LIVING_FOLDERS, STORE_FILES, STORE_FOLDERS, storePaths } from "./paths.ts";

export interface CopyOptions {
  /** Whether the copy will be written to; then files that are appended to are really copied. */
  forUse: boolean;
}

/** `to` must not exist. */
export function copyStore(from: string, to: string, { forUse }: CopyOptions): void {
  mkdirSync(to, { mode: 0o700 });
  const copies = (path: string): boolean => forUse && isAppendedTo(from, path);
  for (const name of STORE_FOLDERS) {
    if (name === HUB_FOLDER && !isFolder(join(from, name))) continue;
    if (!LIVING_FOLDERS.includes(name)) copyFolder(join(from, name), join(to, name), copies);
  }
  // In this order, so that the store's mark comes last.
  for (const name of STORE_FILES) copyEntry(join(from, name), join(to, name), copies);
  syncFolder(to);
}

type Copies = (path: string) => boolean;

/** A folder that may not be read cannot be removed either: it stays where it is, and removing it reports the error. */
function copyFolder(from: string, to: string, copies: Copies): void {
  mkdirSync(to, { mode: 0o700 });
  for (const name of isFolder(from) ? listFolder(from) : []) {
    const [path, copy] = [join(from, name), join(to, name)];
    if (isFolder(path)) copyFolder(path, copy, copies);
    else copyEntry(path, copy, copies);
  }
  syncFolder(to);
}

function copyEntry(path: string, copy: string, copies: Copies): void {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isFile()) return;
  if (copies(path)) copyFile(path, copy);
  else shareFile(path, copy);
  // Lines of the journal are not synced when they are written.
  if (path.endsWith(LINES_ENDING)) syncFile(copy);
}

const LINES_ENDING = ".jsonl";

/** The journal and the transcripts of practice agents; numbered journal files never change again. */
function isAppendedTo(root: string, path: string): boolean {
  return path.endsWith(LINES_ENDING) && dirname(path) !== storePaths(root).segments;
}
