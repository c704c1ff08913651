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

/** Complete lines, and the position in the file where they begin; the bytes are valid until the next piece is requested. */
export interface Piece {
  bytes: Buffer;
  at: number;
}

export type ReadingOrder = "oldest first" | "newest first";

export const PIECE_BYTES = 256 * 1024;
/** Longer than any line we write. Anything longer is skipped without being kept in memory. */
const LONGEST_LINE = 2 * LIMITS.messageFileBytes;
export const LINE_END = 0x0a;
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
  order: ReadingOrder = "oldest first",
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

/** The lines that begin between two positions, in pieces of about the same size; some may be empty. */
export function* piecesOf(
  file: JournalFile,
  from: number,
  until = file.size,
  order: ReadingOrder = "oldest first",
): Generator<Piece> {
  const buffer = Buffer.allocUnsafe(PIECE_BYTES + LONGEST_LINE);
  const count = Math.ceil((until - from) / PIECE_BYTES);
  for (let index = 0; index < count; index += 1) {
    const start = from + PIECE_BYTES * (order === "oldest first" ? index : count - 1 - index);
    yield readPiece(file, start, Math.min(start + PIECE_BYTES, until), buffer);
  }
}

function readPiece({ descriptor }: JournalFile, from: number, until: number, buffer: Buffer): Piece {
  // The byte before shows whether a line begins here, or only the rest of one is here.
  const at = Math.max(0, from - 1);
  const length = readSync(descriptor, buffer, 0, until - at, at);
  const start = from === 0 ? 0 : buffer.subarray(0, length).indexOf(LINE_END) + 1;
  const isInOneLine = from > 0 && start === 0;
  const end = isInOneLine ? 0 : endOfLine(descriptor, buffer, length, at);
  return { bytes: buffer.subarray(start, Math.max(start, end)), at: at + start };
}

/**
 * Reads the rest of the last line, and returns where it ends in the buffer; where it begins if it is still being
 * written, or does not fit: such a line is none of ours.
 */
function endOfLine(descriptor: number, buffer: Buffer, length: number, at: number): number {
  let end = length;
  while (buffer[end - 1] !== LINE_END) {
    const count = readSync(descriptor, buffer, end, Math.min(PROBE_BYTES, buffer.length - end), at + end);
    if (count === 0) return buffer.subarray(0, length).lastIndexOf(LINE_END) + 1;
    const found = buffer.subarray(end, end + count).indexOf(LINE_END);
    end += found === -1 ? count : found + 1;
  }
  return end;
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
function timedLineAfter(file: JournalFile, from: number, until: number) {
  for (const { bytes, at } of piecesOf(file, from, until)) {
    const [found] = timedLines(bytes.toString("latin1"));
    if (found) return { at: at + found.at, time: found.time };
  }
  return undefined;
}

/** Where everything that happened until that time has been written. */
export function endOf(file: JournalFile, until: number): number {
  const after = until + OUT_OF_ORDER_MS;
  if (endsBefore(file, after)) return file.size;
  // The position is a little before that time, and a line that begins there may be long.
  return Math.min(file.size, positionOf(file, after) + PIECE_BYTES + LONGEST_LINE);
}
