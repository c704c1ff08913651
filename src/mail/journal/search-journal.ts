/** Finds a message's entries in the journal without parsing the entries of others. */
import { idsOf, parseEntry, type JournalEntry } from "./journal-entry.ts";
import { openJournalFiles, piecesOf, type JournalFile, type Piece } from "./journal-files.ts";
import { endsBefore, positionOf } from "./journal-position.ts";
import { earliestTimeOf, isMessageId } from "../store/message-id.ts";
import type { Store } from "../store/store.ts";

export type StoredEntry = Extract<JournalEntry, { event: "stored" }>;

const LINE_END = 0x0a;
/** A message's stored line follows soon after its id was made; other processes' lines may come in between. */
const STORED_WITHIN_MS = 1_000;
const STORED_WITHIN_BYTES = 8 * 1024 * 1024;

/** Every entry about a message whose id begins with `prefix`, oldest first. */
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
    const from = beginningIn(file, since);
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
    for (const piece of piecesOf(file, beginningIn(file, since))) {
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

function beginningIn(file: JournalFile, since: number): number {
  if (since === -Infinity) return 0;
  return endsBefore(file, since) ? file.size : positionOf(file, since);
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
