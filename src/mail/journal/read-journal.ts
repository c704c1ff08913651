/**
 * Reads the journal: all of it or what happened since a time, what was added since the last look, what is about one
 * message, the newest entries within a span of time, and how much happened when.
 *
 * It is read in pieces, and only where what is wanted can be, so its length does not matter. A line that was cut off,
 * is not JSON or describes an unknown event is skipped; a line that is still being written is left for the next look.
 */
import { lstatSync } from "node:fs";
import { join } from "node:path";
import { listFolder } from "../../system/paths.ts";
import { earliestTimeOf, isMessageId } from "../store/message.ts";
import type { Store } from "../store/store.ts";
import { idsOf, isFromCommand, parseEntry, type JournalEntry } from "./journal-entry.ts";
import * as files from "./journal-files.ts";

export interface JournalReader {
  /** The entries added since the last call, oldest first; on the first call, all of them. */
  next(): Generator<JournalEntry>;
}

/** `since` leaves out entries that certainly happened earlier; a few earlier ones may still be included. */
export function readJournal(store: Store, since = -Infinity): JournalReader {
  const places = new Map<string, number>();
  let beginAt = since - files.OUT_OF_ORDER_MS;
  return {
    *next() {
      const moment = beginAt;
      // What is new to us from now on is read from its beginning.
      beginAt = -Infinity;
      for (const file of files.openJournalFiles(store.paths)) {
        const known = places.get(file.identity) ?? files.beginningOf(file, moment);
        // A file that has become shorter belongs to another army's journal.
        const place = known <= file.size ? known : 0;
        places.set(file.identity, place);
        for (const piece of files.piecesOf(file, place)) {
          for (const line of files.linesOf(piece)) {
            places.set(file.identity, line.end);
            const entry = parseEntry(line.text);
            if (entry) yield entry;
          }
        }
      }
    },
  };
}

export type StoredEntry = Extract<JournalEntry, { event: "stored" }>;

/** A message's stored line follows soon after its id was made; other processes' lines may come in between. */
const STORED_WITHIN_MS = 1_000;
const STORED_WITHIN_BYTES = 8 * 1024 * 1024;

/** The journal's entry for storing a message; undefined if it is not near the time in the id. */
export function findStored(store: Store, id: string): StoredEntry | undefined {
  if (!isMessageId(id)) return undefined;
  const since = earliestTimeOf(id) - STORED_WITHIN_MS;
  const within = since === -Infinity ? Infinity : STORED_WITHIN_BYTES;
  for (const entry of search(store, id, since, within)) if (entry.event === "stored") return entry;
  return undefined;
}

/** Every entry about a message whose id begins with `prefix`, oldest first, without parsing the entries of others. */
export function* entriesAbout(store: Store, prefix: string): Generator<JournalEntry> {
  const likely = search(store, prefix, earliestTimeOf(prefix) - STORED_WITHIN_MS);
  const found: JournalEntry[] = [];
  for (const entry of likely) {
    found.push(entry);
    // While a message is being synced, its reader may already be rung for it.
    if (entry.event !== "stored" || !idsOf(found[0] ?? entry).includes(entry.id)) continue;
    yield* found;
    yield* likely;
    return;
  }
  // If the clock was set back, an id may be later than its line; and some messages have no stored line.
  yield* search(store, prefix, -Infinity);
}

/** Ends after so many bytes of a file without an end of the search. */
function* search(store: Store, prefix: string, since: number, within = Infinity): Generator<JournalEntry> {
  let isRead = false;
  for (const file of files.openJournalFiles(store.paths)) {
    const from = files.beginningOf(file, since);
    for (const piece of files.piecesOf(file, from)) {
      const wasRead = isRead;
      for (const entry of entriesIn(piece, prefix)) {
        yield entry;
        isRead ||= entry.event === "read" && entry.id === prefix;
      }
      // After a message is read nothing more happens to it, except that a line may arrive late.
      if (wasRead || piece.at - from > within) return;
    }
  }
}

/** Parses only lines in which a JSON string begins with the prefix. */
function entriesIn({ bytes }: files.Piece, prefix: string): JournalEntry[] {
  const needle = Buffer.from(JSON.stringify(prefix).slice(0, -1));
  const found: JournalEntry[] = [];
  for (let at = bytes.indexOf(needle); at !== -1;) {
    const start = bytes.lastIndexOf(files.LINE_END, at) + 1;
    const end = bytes.indexOf(files.LINE_END, at);
    const entry = parseEntry(bytes.toString("utf8", start, end));
    if (entry && idsOf(entry).some((id) => id.startsWith(prefix))) found.push(entry);
    at = bytes.indexOf(needle, end);
  }
  return found;
}

export interface WindowWish {
  /** Milliseconds since 1970; the span includes both ends. */
  from: number;
  until: number;
  /** How many entries at most; the newest ones count. */
  most: number;
  isWanted?: (entry: JournalEntry) => boolean;
}

export interface JournalWindow {
  /** Oldest first. */
  entries: JournalEntry[];
  /** Whether there may be more in the span, before these. */
  isCut: boolean;
}

/** A search that finds little ends after this much. */
const MOST_BYTES = 64 * 1024 * 1024;

export function readWindow(store: Store, wish: WindowWish): JournalWindow {
  const { from, until, most, isWanted = () => true } = wish;
  const found: JournalEntry[] = [];
  let bytes = 0;
  for (const file of files.openJournalFiles(store.paths, "newest first")) {
    for (const piece of files.piecesOf(file, 0, files.endOf(file, until), "newest first")) {
      let isBefore = false;
      for (const { text } of [...files.linesOf(piece)].toReversed()) {
        const [{ time } = { time: NaN }] = files.timedLines(text);
        isBefore ||= time < from - files.OUT_OF_ORDER_MS;
        const entry = time >= from && time <= until ? parseEntry(text) : undefined;
        if (entry && isWanted(entry)) found.push(entry);
        if (found.length >= most) return { entries: found.toReversed(), isCut: true };
      }
      bytes += files.PIECE_BYTES;
      const isCut = bytes >= MOST_BYTES;
      if (isCut || isBefore) return { entries: found.toReversed(), isCut };
    }
  }
  return { entries: found.toReversed(), isCut: false };
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
  for (const { size } of files.openJournalFiles(store.paths)) total += size;
  const step = Math.max(1, Math.ceil(total / PROBES));
  const probes: Probe[] = [];
  let before = 0;
  for (const file of files.openJournalFiles(store.paths)) {
    for (let at = 0; at < file.size; at += step) {
      const [line] = files.timedLines(files.bytesAt(file, at, PROBE_BYTES));
      const place = before + at + (line?.at ?? 0);
      // A long line is met by several probes.
      if (line !== undefined && place !== probes.at(-1)?.at) probes.push({ time: line.time, at: place });
    }
    before += file.size;
  }
  return spread(probes, before, count);
}

function spread(probes: readonly Probe[], total: number, count: number): JournalOverview | undefined {
  if (probes.length === 0) return undefined;
  const times = probes.map(({ time }) => time);
  const [from, until] = [Math.min(...times), Math.max(...times) + 1];
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

/**
 * When an army last wrote something to its store, as the best estimate of when it was cut off. What the person has
 * sent it or read since does not count. Milliseconds since 1970.
 */
export function findLastSign(store: Store): number {
  const { paths } = store;
  const folders = [paths.presence, paths.agents, paths.statuses, paths.conversations];
  const records = folders.flatMap((folder) => listFolder(folder).map((name) => join(folder, name)));
  const times = [paths.format, paths.army, ...records].map(
    (path) => lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0,
  );
  let last = Math.max(...times);
  for (const entry of readJournal(store, last).next()) {
    if (!isFromCommand(entry)) last = Math.max(last, Date.parse(entry.at));
  }
  return last;
}
