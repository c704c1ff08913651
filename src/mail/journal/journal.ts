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
import { moveFile } from "../../system/durable-files.ts";
import { hasErrorCode } from "../../system/file-error.ts";
import type { Store } from "../store/store.ts";
import { watchFolder, type WatchOptions } from "../store/watch-folder.ts";
import type { JournalEvent } from "./journal-entry.ts";
import { segmentName, segmentNames } from "./journal-files.ts";
import { readWindow, sampleJournal, type WindowWish } from "./journal-window.ts";
import { entriesAbout, findLastSign, findStored, readJournal } from "./read-journal.ts";

export function openJournal(store: Store) {
  return {
    /** Adds a line. */
    note: (event: JournalEvent) => writeJournal(store, [event]),
    /** The entries, from the beginning or from about the given time on. */
    journal: (since?: number) => readJournal(store, since),
    /** The entries about messages whose id begins with `prefix`. */
    journalAbout: (prefix: string) => entriesAbout(store, prefix),
    /** The entry for storing a message. */
    storedEntry: (id: string) => findStored(store, id),
    /** The newest entries within a span of time. */
    journalWindow: (wish: WindowWish) => readWindow(store, wish),
    /** How much happened when, in so many equal parts of the journal's time; undefined if nothing has happened. */
    journalOverview: (parts: number) => sampleJournal(store, parts),
    /** Calls back when the journal may have grown, and also at regular intervals. */
    watchJournal: (onChange: () => void, how: WatchOptions) => watchFolder(store.paths.root, onChange, how),
    /** The current file: its identity, whatever its name, and its size in bytes; undefined if there is none. */
    journalFile() {
      const found = lstatSync(store.paths.journal, { throwIfNoEntry: false });
      return found && { identity: `${found.dev}-${found.ino}`, size: found.size };
    },
    /** When the army itself last wrote something, in milliseconds since 1970. */
    lastSign: () => findLastSign(store),
  };
}

const MEGABYTE = 1024 * 1024;
const LARGEST_SEGMENT = 8 * MEGABYTE;
/** Enough files that deleting the oldest keeps most of what should be kept. */
const FEWEST_SEGMENTS = 8;

// O_NONBLOCK: a named pipe in its place must not block any process.
const APPEND =
  constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Stores whose last line may have been cut off; their next line begins with a newline. */
const torn = new WeakSet<Store>();

export function writeJournal(store: Store, events: JournalEvent[]): void {
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
  try {
    const dropped = rotateJournal(store);
    if (dropped) writeJournal(store, [{ event: "dropped", what: "journal", ...dropped }]);
  } catch {
    // The file keeps growing, and the next line tries to rotate it again.
  }
}

interface Dropped {
  files: number;
  bytes: number;
}

/** Returns what had to be deleted, if anything. */
export function rotateJournal(store: Store): Dropped | undefined {
  const { journal, segments } = store.paths;
  const newest = Number.parseInt(segmentNames(segments).at(-1) ?? "0", 10);
  const next = join(segments, segmentName(newest + 1));
  if (!reserve(segments, next)) return undefined;
  // Another process may have been first; then the current file is a new one.
  if (isFull(store, statSync(journal).size)) moveFile(journal, next);
  else unlinkSync(next);
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

/** Keeps all files together to what the person wants to keep. */
function dropOldest({ paths: { segments }, limits }: Store): Dropped | undefined {
  const files = segmentNames(segments).flatMap((name) => {
    const path = join(segments, name);
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
