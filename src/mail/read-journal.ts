/**
 * Reading the journal from its beginning, and whatever was added since the last look.
 *
 * It is read in pieces, so its length does not matter. A line that was cut off, is no JSON or tells of something
 * that this program does not know is skipped; one that is still being written is left for the next look.
 */
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { hasErrorCode } from "../system/file-error.ts";
import { parseEntry, type JournalEntry } from "./journal-entry.ts";
import { LIMITS } from "./limits.ts";
import type { Store } from "./store.ts";

export interface JournalReader {
  /** What was added since the last call, oldest first; on the first call, everything. */
  next(): Generator<JournalEntry>;
}

const PIECE_BYTES = 64 * 1024;
/** Longer than any line of ours can be: whatever is, is skipped without being kept in memory. */
const LONGEST_LINE = 2 * LIMITS.messageFileBytes;
const LINE_END = 0x0a;

export function readJournal(store: Store): JournalReader {
  let offset = 0;
  let known: number | undefined;
  return {
    *next() {
      const file = openJournal(store.paths.journal);
      if (file === undefined) return;
      try {
        const found = fstatSync(file);
        if (!found.isFile()) return;
        const { ino, size } = found;
        // Another file in its place, or a shorter one: another army's journal, to be read from its beginning.
        if (ino !== known || size < offset) offset = 0;
        known = ino;
        for (const line of wholeLines(file, offset)) {
          offset = line.end;
          const entry = parseEntry(line.text);
          if (entry) yield entry;
        }
      } finally {
        closeSync(file);
      }
    },
  };
}

function openJournal(path: string): number | undefined {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (hasErrorCode(error, "ENOENT", "ELOOP", "ENOTDIR", "ENXIO")) return undefined;
    throw error;
  }
}

/** Every line that has its end, with the place where the next one begins. */
function* wholeLines(file: number, from: number): Generator<{ text: string; end: number }> {
  const piece = Buffer.alloc(PIECE_BYTES);
  let position = from;
  let begun: Buffer[] = [];
  let length = 0;
  for (;;) {
    const count = readSync(file, piece, 0, piece.length, position);
    if (count === 0) return;
    let start = 0;
    for (let end = piece.indexOf(LINE_END); end !== -1 && end < count; end = piece.indexOf(LINE_END, start)) {
      begun.push(piece.subarray(start, end));
      const text = length > LONGEST_LINE ? "" : Buffer.concat(begun).toString("utf8");
      yield { text, end: position + end + 1 };
      begun = [];
      length = 0;
      start = end + 1;
    }
    length += count - start;
    begun = length > LONGEST_LINE ? [] : [...begun, Buffer.from(piece.subarray(start, count))];
    position += count;
  }
}
