/**
 * Reads the journal from its beginning or from a given time on, and then what was added since the last look.
 *
 * It is read in pieces, so its length does not matter. A line that was cut off, is not JSON or describes an unknown
 * event is skipped; a line that is still being written is left for the next look.
 */
import { parseEntry, type JournalEntry } from "./journal-entry.ts";
import { linesOf, openJournalFiles, piecesOf, type JournalFile } from "./journal-files.ts";
import { endsBefore, OUT_OF_ORDER_MS, positionOf } from "./journal-position.ts";
import type { Store } from "../store/store.ts";

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
    if (since === -Infinity) return 0;
    const before = since - OUT_OF_ORDER_MS;
    return endsBefore(file, before) ? file.size : positionOf(file, before);
  };
}
