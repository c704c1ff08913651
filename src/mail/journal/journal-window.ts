/**
 * Looks into a part of a long journal without reading all of it: the newest entries within a span of time, read
 * backwards from its end, and how much happened when.
 */
import { readSync } from "node:fs";
import type { Store } from "../store/store.ts";
import { parseEntry, type JournalEntry } from "./journal-entry.ts";
import {
  bytesAt,
  endsBefore,
  LONGEST_LINE,
  openJournalFiles,
  OUT_OF_ORDER_MS,
  positionOf,
  timedLines,
  type JournalFile,
} from "./journal-files.ts";

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

export function readWindow(store: Store, wish: WindowWish): JournalWindow {
  const found: JournalEntry[] = [];
  let bytes = 0;
  for (const file of openJournalFiles(store.paths, "newest first")) {
    for (const lines of piecesBefore(file, endIn(file, wish.until))) {
      const { entries, isBefore } = pick(lines, wish, wish.most - found.length);
      found.push(...entries);
      bytes += PIECE_BYTES;
      const isCut = found.length >= wish.most || bytes >= MOST_BYTES;
      if (isCut || isBefore) return { entries: found.toReversed(), isCut };
    }
  }
  return { entries: found.toReversed(), isCut: false };
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
    const [{ time } = { time: NaN }] = timedLines(line);
    isBefore ||= time < from - OUT_OF_ORDER_MS;
    if (!(time >= from && time <= until)) continue;
    const entry = parseEntry(line);
    if (entry === undefined || !isWanted(entry)) continue;
    entries.push(entry);
    if (entries.length >= most) break;
  }
  return { entries, isBefore };
}

export interface JournalOverview {
  /** When the journal begins and ends, in milliseconds since 1970. */
  from: number;
  until: number;
  /** The bytes written in each of the equal parts of that time. */
  parts: number[];
}

interface Probe {
  time: number;
  /** Its position in the whole journal. */
  at: number;
}

const PROBES = 400;
const PROBE_BYTES = 4 * 1024;
/** A pause between two probes is not filled with what was written before it. */
const MOST_PARTS_PER_PROBE = 3;

/**
 * How much happened when, over the whole journal: times are looked up at evenly spaced positions, and the bytes between
 * two of them stand for what happened in between. Undefined if nothing has happened.
 */
export function sampleJournal(store: Store, count: number): JournalOverview | undefined {
  let total = 0;
  for (const { size } of openJournalFiles(store.paths)) total += size;
  const step = Math.max(1, Math.ceil(total / PROBES));
  const probes = new Map<number, Probe>();
  let before = 0;
  for (const file of openJournalFiles(store.paths)) {
    for (let at = 0; at < file.size; at += step) {
      const [line] = timedLines(bytesAt(file, at, PROBE_BYTES));
      if (line === undefined) continue;
      const probe = { time: line.time, at: before + at + line.at };
      probes.set(probe.at, probe);
    }
    before += file.size;
  }
  return spread([...probes.values()], before, count);
}

function spread(probes: readonly Probe[], total: number, count: number): JournalOverview | undefined {
  const [first, ...others] = probes.map(({ time }) => time);
  if (first === undefined) return undefined;
  const from = others.reduce((least, time) => Math.min(least, time), first);
  const until = others.reduce((most, time) => Math.max(most, time), first) + 1;
  const partOf = (time: number): number => Math.floor(((time - from) / (until - from)) * count);
  const parts = Array.from({ length: count }, () => 0);
  for (const [index, { time, at }] of probes.entries()) {
    const next = probes[index + 1];
    const bytes = (next?.at ?? total) - at;
    const reached = partOf(Math.max(time, (next?.time ?? until) - 1)) - partOf(time) + 1;
    const width = reached > MOST_PARTS_PER_PROBE ? 1 : reached;
    for (let part = partOf(time); part < partOf(time) + width; part += 1)
      parts[part] = (parts[part] ?? 0) + bytes / width;
  }
  return { from, until, parts: parts.map(Math.round) };
}
