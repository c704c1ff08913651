/**
 * The journal: one JSON line per event, append-only, so that messages stay on record after they are read.
 *
 * It is a record, not the store: if a line cannot be written, the operation it describes still succeeds. A process
 * that finds the current file full reserves the next name in `journal/`, which only one process can do, and moves the
 * file there. Lines that other processes write at that moment still end up in that file.
 */
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  statSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { moveFile, removeTree } from "../../system/durable-files.ts";
import { tryTo, hasErrorCode } from "../../system/file-error.ts";
import { isFile } from "../../system/paths.ts";
import type { Store } from "../store/store.ts";
import type { JournalEvent } from "./journal-entry.ts";
import { segmentName, segmentNames } from "./journal-files.ts";

const MEGABYTE = 1024 * 1024;
const LARGEST_SEGMENT = 8 * MEGABYTE;
/** Enough files that deleting the oldest keeps most of what should be kept. */
const FEWEST_SEGMENTS = 8;

// O_NONBLOCK: a named pipe in its place must not block any process.
const APPEND =
  constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Stores whose last line may have been cut off; their next line begins with a newline. */
const torn = new WeakSet<Store>();

export function writeJournal(store: Store, ...events: JournalEvent[]): void {
  if (events.length === 0) return;
  const at = new Date(store.now()).toISOString();
  const lines = events.map((event) => `${JSON.stringify({ at, ...event })}\n`).join("");
  let size = 0;
  const bytes = Buffer.from(torn.has(store) ? `\n${lines}` : lines);
  try {
    const file = openSync(store.paths.journal, APPEND, 0o600);
    try {
      // A single write: the kernel does not mix appending writes from several processes.
      const found = fstatSync(file);
      if (found.isFile() && writeSync(file, bytes) === bytes.length) torn.delete(store);
      else torn.add(store);
      size = found.size + bytes.length;
    } finally {
      closeSync(file);
    }
  } catch {
    torn.add(store);
  }
  if (isFull(store, size)) rotate(store);
}

function isFull({ limits }: Store, size: number): boolean {
  return size >= Math.min(LARGEST_SEGMENT, (limits.journalMegabytes * MEGABYTE) / FEWEST_SEGMENTS);
}

function rotate(store: Store): void {
  // The file keeps growing, and the next line tries to rotate it again.
  tryTo(() => {
    const dropped = rotateJournal(store);
    if (dropped) writeJournal(store, { event: "dropped", what: "journal", ...dropped });
  });
}

/** Returns what had to be deleted to keep to what the person wants to keep, if anything. */
export function rotateJournal(store: Store): Amount | undefined {
  const { journal, segments } = store.paths;
  const newest = Number.parseInt(segmentNames(segments).at(-1) ?? "0", 10);
  const next = join(segments, segmentName(newest + 1));
  if (!reserve(segments, next)) return undefined;
  // Another process may have been first; then the current file is a new one.
  if (isFull(store, statSync(journal).size)) moveFile(journal, next);
  else unlinkSync(next);
  // A folder with such a name is not ours.
  const paths = segmentNames(segments)
    .map((name) => join(segments, name))
    .filter(isFile);
  return removeOldest(paths, ({ bytes }) => bytes > store.limits.journalMegabytes * MEGABYTE);
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

interface Amount {
  files: number;
  bytes: number;
}

/** Removes the first of these files while those that are left are too many; undefined if none had to go. */
export function removeOldest(
  paths: readonly string[],
  isTooMuch: (left: Amount) => boolean,
): Amount | undefined {
  const files = paths.map((path) => ({ path, bytes: lstatSync(path, { throwIfNoEntry: false })?.size ?? 0 }));
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const removed = { files: 0, bytes: 0 };
  for (const { path, bytes } of files) {
    if (!isTooMuch({ files: files.length - removed.files, bytes: total - removed.bytes })) break;
    removeTree(path);
    removed.files += 1;
    removed.bytes += bytes;
  }
  return removed.files > 0 ? removed : undefined;
}
