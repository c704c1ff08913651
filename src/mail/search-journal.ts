/** Finding what the journal says of a message, without parsing what it says of others. */
import { idsOf, parseEntry, type JournalEntry } from "./journal-entry.ts";
import { openJournalFiles, piecesOf, type JournalFile, type Piece } from "./journal-files.ts";
import { endsBefore, positionOf } from "./journal-position.ts";
import { earliestTimeOf, isMessageId } from "./message-id.ts";
import type { Store } from "./store.ts";

export type StoredEntry = Extract<JournalEntry, { event: "stored" }>;

const LINE_END = 0x0a;
/** A message is noted as stored soon after its name was made; other processes' lines may come in between. */
const STORED_WITHIN_MS = 1_000;
const STORED_WITHIN_BYTES = 8 * 1024 * 1024;

/** Every entry that speaks of a message whose id begins so, oldest first. */
export function* entriesAbout(store: Store, prefix: string): Generator<JournalEntry> {
  const likely = search(store, prefix, earliestTimeOf(prefix) - STORED_WITHIN_MS);
  const { value: first } = likely.next();
  if (first?.event === "stored") {
    yield first;
    yield* likely;
    return;
  }
  // A name may be later than the clock, where that was set back, and some messages were never noted as stored.
  yield* search(store, prefix, -Infinity);
}

/** What was noted when a message was stored; undefined if that is not where its name says. */
export function findStored(store: Store, id: string): StoredEntry | undefined {
  if (!isMessageId(id)) return undefined;
  const since = earliestTimeOf(id) - STORED_WITHIN_MS;
  for (const file of openJournalFiles(store.paths)) {
    const from = beginningIn(file, since);
    for (const piece of piecesOf(file, from)) {
      const stored = entriesIn(piece, id).find((entry) => entry.event === "stored");
      if (stored) return stored;
      if (piece.at - from > STORED_WITHIN_BYTES) return undefined;
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
      // Once it was read nothing more happens to it, but for a line that comes late.
      if (wasRead) return;
    }
  }
}

function beginningIn(file: JournalFile, since: number): number {
  if (since === -Infinity) return 0;
  return endsBefore(file, since) ? file.size : positionOf(file, since);
}

/** Only lines in which the id stands as a text of its own are looked at closer. */
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
