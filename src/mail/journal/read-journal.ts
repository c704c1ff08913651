/**
 * Reads the journal: all of it or what happened since a time, what was added since the last look, or what is about one
 * message.
 *
 * It is read in pieces, so its length does not matter. A line that was cut off, is not JSON or describes an unknown
 * event is skipped; a line that is still being written is left for the next look.
 */
import { lstatSync } from "node:fs";
import { join } from "node:path";
import { listFolder } from "../../system/paths.ts";
import { earliestTimeOf, isMessageId } from "../store/message.ts";
import type { Store } from "../store/store.ts";
import { idsOf, parseEntry, type JournalEntry } from "./journal-entry.ts";
import {
  beginningOf,
  linesOf,
  openJournalFiles,
  OUT_OF_ORDER_MS,
  piecesOf,
  type JournalFile,
  type Piece,
} from "./journal-files.ts";

export interface JournalReader {
  /** The entries added since the last call, oldest first; on the first call, all of them. */
  next(): Generator<JournalEntry>;
}

/** `since` leaves out entries that certainly happened earlier; a few earlier ones may still be included. */
export function readJournal(store: Store, since = -Infinity): JournalReader {
  let places = new Map<string, number>();
  let isFirst = true;
  return {
    *next() {
      const reached = new Map<string, number>();
      const beginsAt = placeIn(places, isFirst ? since : -Infinity);
      isFirst = false;
      for (const file of openJournalFiles(store.paths)) {
        let place = beginsAt(file);
        reached.set(file.identity, place);
        for (const piece of piecesOf(file, place)) {
          for (const line of linesOf(piece)) {
            place = line.end;
            reached.set(file.identity, place);
            places.set(file.identity, place);
            const entry = parseEntry(line.text);
            if (entry) yield entry;
          }
        }
      }
      places = reached;
    },
  };
}

/**
 * Where to continue in a file: where we stopped, at the requested time, or at the beginning of a file that is new to
 * us.
 */
function placeIn(known: ReadonlyMap<string, number>, since: number): (file: JournalFile) => number {
  return (file) => {
    const place = known.get(file.identity);
    // A file that has become shorter belongs to another army's journal.
    if (place !== undefined) return place <= file.size ? place : 0;
    return beginningOf(file, since - OUT_OF_ORDER_MS);
  };
}

export type StoredEntry = Extract<JournalEntry, { event: "stored" }>;

const LINE_END = 0x0a;
/** A message's stored line follows soon after its id was made; other processes' lines may come in between. */
const STORED_WITHIN_MS = 1_000;
const STORED_WITHIN_BYTES = 8 * 1024 * 1024;

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

/** The journal's entry for storing a message; undefined if it is not near the time in the id. */
export function findStored(store: Store, id: string): StoredEntry | undefined {
  if (!isMessageId(id)) return undefined;
  const since = earliestTimeOf(id) - STORED_WITHIN_MS;
  for (const file of openJournalFiles(store.paths)) {
    const from = beginningOf(file, since);
    for (const piece of piecesOf(file, from)) {
      const stored = entriesIn(piece, id).find((entry) => entry.event === "stored");
      if (stored) return stored;
      if (since !== -Infinity && piece.at - from > STORED_WITHIN_BYTES) return undefined;
    }
  }
  return undefined;
}

function* search(store: Store, prefix: string, since: number): Generator<JournalEntry> {
  let isRead = false;
  for (const file of openJournalFiles(store.paths)) {
    for (const piece of piecesOf(file, beginningOf(file, since))) {
      const wasRead = isRead;
      for (const entry of entriesIn(piece, prefix)) {
        yield entry;
        isRead ||= entry.event === "read" && entry.id === prefix;
      }
      // After a message is read nothing more happens to it, except that a line may arrive late.
      if (wasRead) return;
    }
  }
}

/** Parses only lines in which a JSON string begins with the prefix. */
function entriesIn({ bytes }: Piece, prefix: string): JournalEntry[] {
  const needle = Buffer.from(JSON.stringify(prefix).slice(0, -1));
  const found: JournalEntry[] = [];
  for (let at = bytes.indexOf(needle); at !== -1;) {
    const start = bytes.lastIndexOf(LINE_END, at) + 1;
    const end = bytes.indexOf(LINE_END, at);
    const entry = parseEntry(bytes.toString("utf8", start, end));
    if (entry && idsOf(entry).some((id) => id.startsWith(prefix))) found.push(entry);
    at = bytes.indexOf(needle, end);
  }
  return found;
}

/**
 * When an army last wrote something to its store, as the best estimate of when it was cut off. What the person has
 * sent it since does not count. Milliseconds since 1970.
 */
export function findLastSign(store: Store): number {
  const { paths } = store;
  const folders = [paths.presence, paths.agents, paths.statuses, paths.conversations];
  const files = folders.flatMap((folder) => listFolder(folder).map((name) => join(folder, name)));
  const times = [paths.format, paths.army, ...files].map(
    (path) => lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0,
  );
  let last = Math.max(...times);
  for (const entry of readJournal(store, last).next()) {
    const isPersons = entry.event === "stored" && entry.by?.program === "command";
    if (!isPersons) last = Math.max(last, Date.parse(entry.at));
  }
  return last;
}
