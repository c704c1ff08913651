/**
 * The journal: one JSON line per event, append-only, so that messages stay on record after they are read.
 *
 * It is a record, not the store: if a line cannot be written, the operation it describes still succeeds.
 */
import { closeSync, constants, fstatSync, openSync, writeSync } from "node:fs";
import type { JournalEvent } from "./journal-entry.ts";
import { isJournalFull, rotateJournal } from "./rotate-journal.ts";
import type { Store } from "../store/store.ts";

// O_NONBLOCK: a named pipe in its place must not block any process.
const APPEND =
  constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Stores whose last line may have been cut off; their next line begins with a newline. */
const torn = new WeakSet<Store>();

export function record(store: Store, events: JournalEvent[]): void {
  if (events.length === 0) return;
  const at = new Date(store.now()).toISOString();
  const lines = events.map((event) => `${JSON.stringify({ at, ...event })}\n`).join("");
  let size = 0;
  const bytes = Buffer.from(torn.has(store) ? `\n${lines}` : lines);
  try {
    const file = openSync(store.paths.journal, APPEND, 0o600);
    try {
      // A single write: the kernel does not mix appending writes from several processes.
      const found = fstatSync(file);
      if (found.isFile() && writeSync(file, bytes) === bytes.length) torn.delete(store);
      else torn.add(store);
      size = found.size + bytes.length;
    } finally {
      closeSync(file);
    }
  } catch {
    torn.add(store);
  }
  if (isJournalFull(store, size)) rotate(store);
}

function rotate(store: Store): void {
  try {
    const dropped = rotateJournal(store);
    if (dropped) record(store, [{ event: "dropped", what: "journal", ...dropped }]);
  } catch {
    // The file keeps growing, and the next line tries to rotate it again.
  }
}
