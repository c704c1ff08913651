/**
 * Keeps each journal file to a limited size, and all of them together to what the person wants to keep.
 *
 * A process that finds the current file full reserves the next name, which only one process can do, and moves the
 * file there. Lines that other processes write at that moment still end up in that file.
 */
import { closeSync, lstatSync, mkdirSync, openSync, statSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { moveFile } from "../../system/durable-files.ts";
import { hasErrorCode } from "../../system/file-error.ts";
import { segmentName, segmentNames } from "./journal-files.ts";
import type { Store } from "../store/store.ts";

const MEGABYTE = 1024 * 1024;
const LARGEST_SEGMENT = 8 * MEGABYTE;
/** Enough files that deleting the oldest keeps most of what should be kept. */
const FEWEST_SEGMENTS = 8;

export interface Dropped {
  files: number;
  bytes: number;
}

export function isJournalFull({ limits }: Store, size: number): boolean {
  return size >= Math.min(LARGEST_SEGMENT, (limits.journalMegabytes * MEGABYTE) / FEWEST_SEGMENTS);
}

/** Returns what had to be deleted, if anything. */
export function rotateJournal(store: Store): Dropped | undefined {
  const { journal, segments } = store.paths;
  const newest = Number.parseInt(segmentNames(segments).at(-1) ?? "0", 10);
  const next = segmentName(newest + 1);
  if (!reserve(segments, join(segments, next))) return undefined;
  // Another process may have been first; then the current file is a new one.
  if (isJournalFull(store, statSync(journal).size)) moveFile(journal, join(segments, next));
  else unlinkSync(join(segments, next));
  return dropOldest(store);
}

/** False if another process has it. */
function reserve(folder: string, path: string): boolean {
  try {
    closeSync(openSync(path, "wx", 0o600));
    return true;
  } catch (error) {
    if (hasErrorCode(error, "EEXIST")) return false;
    if (!hasErrorCode(error, "ENOENT")) throw error;
    mkdirSync(folder, { mode: 0o700 });
    return reserve(folder, path);
  }
}

function dropOldest({ paths, limits }: Store): Dropped | undefined {
  const files = segmentNames(paths.segments).flatMap((name) => {
    const path = join(paths.segments, name);
    const found = lstatSync(path, { throwIfNoEntry: false });
    // A folder with such a name is not ours and could not be removed.
    return found?.isFile() ? [{ path, bytes: found.size }] : [];
  });
  let total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const dropped: Dropped = { files: 0, bytes: 0 };
  for (const { path, bytes } of files) {
    if (total <= limits.journalMegabytes * MEGABYTE) break;
    unlinkSync(path);
    total -= bytes;
    dropped.files += 1;
    dropped.bytes += bytes;
  }
  return dropped.files > 0 ? dropped : undefined;
}
