/**
 * The files of the journal, oldest first, and reading them in pieces.
 *
 * `journal.jsonl` is the current file; when it has grown large it becomes the next numbered file in `journal/`. A
 * reader opens the current file before it lists the others, so a file that is moved in the meantime is neither missed
 * nor read twice.
 */
import { closeSync, constants, fstatSync, openSync, readdirSync, readSync } from "node:fs";
import { join } from "node:path";
import { hasErrorCode } from "../../system/file-error.ts";
import { LIMITS } from "../store/message.ts";
import type { StorePaths } from "../store/paths.ts";

export interface JournalFile {
  descriptor: number;
  /** Identifies a file even after it has been renamed. */
  identity: string;
  size: number;
}

/** Complete lines, and the position in the file where they begin. */
export interface Piece {
  bytes: Buffer;
  at: number;
}

const PIECE_BYTES = 1024 * 1024;
/** Longer than any line we write. Anything longer is skipped without being kept in memory. */
export const LONGEST_LINE = 2 * LIMITS.messageFileBytes;
const LINE_END = 0x0a;
const SEGMENT_NAME = /^\d{8}\.jsonl$/;

export function segmentNames(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => SEGMENT_NAME.test(name))
      .toSorted();
  } catch (error) {
    if (hasErrorCode(error, "ENOENT", "ENOTDIR", "ELOOP", "EACCES")) return [];
    throw error;
  }
}

export function segmentName(number: number): string {
  return `${String(number).padStart(8, "0")}.jsonl`;
}

/** Opens each file in turn and closes it when the next one is requested. */
export function* openJournalFiles(
  paths: StorePaths,
  order: "oldest first" | "newest first" = "oldest first",
): Generator<JournalFile> {
  const current = openFile(paths.journal);
  try {
    const names = segmentNames(paths.segments);
    if (current && order === "newest first") yield current;
    for (const name of order === "newest first" ? names.toReversed() : names) {
      const segment = openFile(join(paths.segments, name));
      if (segment === undefined) continue;
      try {
        if (segment.identity !== current?.identity) yield segment;
      } finally {
        closeSync(segment.descriptor);
      }
    }
    if (current && order === "oldest first") yield current;
  } finally {
    if (current) closeSync(current.descriptor);
  }
}

/** Undefined for anything that is not a plain file or may not be read; opening a pipe does not block. */
function openFile(path: string): JournalFile | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (hasErrorCode(error, "ENOENT", "ELOOP", "ENOTDIR", "ENXIO", "EACCES")) return undefined;
    throw error;
  }
  const found = fstatSync(descriptor);
  if (found.isFile()) {
    return { descriptor, identity: `${found.ino} ${found.birthtimeMs}`, size: found.size };
  }
  closeSync(descriptor);
  return undefined;
}

/** The file's content from a given position; the bytes are valid until the next piece is requested. */
export function* piecesOf({ descriptor }: JournalFile, from: number): Generator<Piece> {
  let buffer = Buffer.allocUnsafe(PIECE_BYTES);
  let [at, kept] = [from, 0];
  let isTooLong = false;
  for (;;) {
    const count = readSync(descriptor, buffer, kept, buffer.length - kept, at + kept);
    if (count === 0) return;
    const length = kept + count;
    const end = buffer.lastIndexOf(LINE_END, length - 1) + 1;
    if (end > 0) {
      const start = isTooLong ? buffer.indexOf(LINE_END) + 1 : 0;
      isTooLong = false;
      if (end > start) yield { bytes: buffer.subarray(start, end), at: at + start };
      buffer.copyWithin(0, end, length);
      [at, kept] = [at + end, length - end];
    } else if (isTooLong || length > LONGEST_LINE) {
      isTooLong = true;
      [at, kept] = [at + length, 0];
    } else {
      kept = length;
      if (kept === buffer.length) buffer = Buffer.concat([buffer], 2 * buffer.length);
    }
  }
}

/** Each line of a piece, with the position where the next line begins. */
export function* linesOf({ bytes, at }: Piece): Generator<{ text: string; end: number }> {
  for (let start = 0; start < bytes.length;) {
    const end = bytes.indexOf(LINE_END, start);
    yield { text: bytes.toString("utf8", start, end), end: at + end + 1 };
    start = end + 1;
  }
}

/** Several processes write, so a line may appear later than its time says. */
export const OUT_OF_ORDER_MS = 60_000;

const LINE_TIME = /^\{"at":"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)"/gm;
const TIME_BYTES = '{"at":"2026-11-15T00:00:00.000Z"'.length;
const PROBE_BYTES = 16 * 1024;

/** The lines that state their time, as every line we write does first: the time, and where the line begins. */
export function* timedLines(text: string): Generator<{ time: number; at: number }> {
  for (const found of text.matchAll(LINE_TIME)) yield { time: Date.parse(found[1] ?? ""), at: found.index };
}

/** A part of a file as text in which each character is a byte. */
export function bytesAt({ descriptor }: JournalFile, at: number, length: number): string {
  const bytes = Buffer.allocUnsafe(length);
  return bytes.toString("latin1", 0, readSync(descriptor, bytes, 0, length, at));
}

/** Where to begin for what happened since that time: found without reading everything before it. */
export function beginningOf(file: JournalFile, since: number): number {
  if (since === -Infinity) return 0;
  return endsBefore(file, since) ? file.size : positionOf(file, since);
}

/** The beginning of a line before everything that happened since that time. */
export function positionOf(file: JournalFile, moment: number): number {
  let [low, high] = [0, file.size];
  while (high - low > 4 * PROBE_BYTES) {
    const middle = Math.floor((low + high) / 2);
    const line = timedLineAfter(file, middle, high);
    if (line === undefined || line.time >= moment) high = middle;
    else low = line.at;
  }
  return low;
}

/** Whether the last line of a file is older than that time; false if that is unknown. */
export function endsBefore(file: JournalFile, moment: number): boolean {
  const tail = bytesAt(file, Math.max(0, file.size - PROBE_BYTES), PROBE_BYTES);
  return ([...timedLines(tail)].at(-1)?.time ?? NaN) < moment;
}

/** The first line between two positions that states its time. */
function timedLineAfter(
  file: JournalFile,
  from: number,
  until: number,
): { at: number; time: number } | undefined {
  // Probes overlap, so that no time is split between two of them.
  for (let at = from; at < until; at += PROBE_BYTES) {
    const probe = bytesAt(file, at, Math.min(PROBE_BYTES + TIME_BYTES, until - at));
    const [found] = timedLines(probe);
    if (found) return { at: at + found.at, time: found.time };
  }
  return undefined;
}
