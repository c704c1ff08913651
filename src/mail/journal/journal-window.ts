/**
 * The newest entries of the journal within a span of time. It is read backwards from the end of the span, so the
 * length of the journal before and after it does not matter.
 */
import { readSync } from "node:fs";
import { parseEntry, type JournalEntry } from "./journal-entry.ts";
import { LONGEST_LINE, openJournalFiles, type JournalFile } from "./journal-files.ts";
import { endsBefore, OUT_OF_ORDER_MS, positionOf } from "./journal-position.ts";
import type { Store } from "../store/store.ts";

export interface WindowWish {
  /** Milliseconds since 1970; the span includes both ends. */
  from: number;
  until: number;
  /** How many entries at most; the newest ones count. */
  most: number;
  /** Which entries count. */
  isWanted?: (entry: JournalEntry) => boolean;
}

export interface JournalWindow {
  /** Oldest first. */
  entries: JournalEntry[];
  /** Whether there may be more in the span, before these. */
  isCut: boolean;
}

const PIECE_BYTES = 256 * 1024;
/** A search that finds little ends after this much. */
const MOST_BYTES = 64 * 1024 * 1024;
const LINE_END = 0x0a;
const TIME = /^\{"at":"([^"]{20,30})"/;

export function readWindow(store: Store, wish: WindowWish): JournalWindow {
  const found: JournalEntry[] = [];
  let bytes = 0;
  for (const file of openJournalFiles(store.paths, "newest first")) {
    for (const lines of piecesBefore(file, endIn(file, wish.until))) {
      const { entries, isBefore } = pick(lines, wish, wish.most - found.length);
      found.push(...entries);
      bytes += PIECE_BYTES;
      if (found.length >= wish.most || bytes >= MOST_BYTES) return { entries: inOrder(found), isCut: true };
      if (isBefore) return { entries: inOrder(found), isCut: false };
    }
  }
  return { entries: inOrder(found), isCut: false };
}

/** Where everything of the span has been written. */
function endIn(file: JournalFile, until: number): number {
  const after = until + OUT_OF_ORDER_MS;
  if (endsBefore(file, after)) return file.size;
  // The position is a little before that time, and a line that begins there may be long.
  return Math.min(file.size, positionOf(file, after) + PIECE_BYTES + LONGEST_LINE);
}

/**
 * Complete lines, from the end of the file to its beginning, in pieces. A line that is longer than any we write is
 * skipped without being kept in memory.
 */
function* piecesBefore({ descriptor }: JournalFile, end: number): Generator<string[]> {
  let rest: Buffer = Buffer.alloc(0);
  let isTooLong = false;
  for (let until = end; until > 0;) {
    const from = Math.max(0, until - PIECE_BYTES);
    const piece = Buffer.allocUnsafe(until - from);
    const read = piece.subarray(0, readSync(descriptor, piece, 0, piece.length, from));
    const lineEnd = read.lastIndexOf(LINE_END) + 1;
    const bytes = isTooLong ? read.subarray(0, lineEnd) : Buffer.concat([read, rest]);
    isTooLong &&= lineEnd === 0;
    // The first line of a piece usually begins in the piece before it.
    const start = from === 0 ? 0 : bytes.indexOf(LINE_END) + 1;
    const isLine = from === 0 || start > 0;
    rest = isLine ? bytes.subarray(0, start) : bytes;
    if (rest.length > LONGEST_LINE) [rest, isTooLong] = [Buffer.alloc(0), true];
    yield isLine ? bytes.toString("utf8", start).split("\n") : [];
    until = from;
  }
}

/** The wanted entries, newest first; `isBefore` if everything earlier is certainly before the span. */
function pick(
  lines: readonly string[],
  { from, until, isWanted = () => true }: WindowWish,
  most: number,
): { entries: JournalEntry[]; isBefore: boolean } {
  const entries: JournalEntry[] = [];
  let isBefore = false;
  for (const line of lines.toReversed()) {
    const time = Date.parse(TIME.exec(line)?.[1] ?? "");
    isBefore ||= time < from - OUT_OF_ORDER_MS;
    if (!(time >= from && time <= until)) continue;
    const entry = parseEntry(line);
    if (entry === undefined || !isWanted(entry)) continue;
    entries.push(entry);
    if (entries.length >= most) break;
  }
  return { entries, isBefore };
}

function inOrder(newestFirst: readonly JournalEntry[]): JournalEntry[] {
  return newestFirst.toReversed();
}
