/** The journal of an army: what happened, as lines that are added and read back. */
import { lstatSync } from "node:fs";
import type { Store } from "../store/store.ts";
import { watchFolder, type WatchOptions } from "../store/watch-folder.ts";
import type { JournalEvent } from "./journal-entry.ts";
import { readWindow, sampleJournal, type WindowWish } from "./journal-window.ts";
import { writeJournal } from "./journal.ts";
import { entriesAbout, findLastSign, findStored, readJournal } from "./read-journal.ts";

export function openJournal(store: Store) {
  return {
    /** Adds a line. */
    note: (event: JournalEvent) => writeJournal(store, [event]),
    /** The entries, from the beginning or from about the given time on. */
    journal: (since?: number) => readJournal(store, since),
    /** The entries about messages whose id begins with `prefix`. */
    journalAbout: (prefix: string) => entriesAbout(store, prefix),
    /** The entry for storing a message. */
    storedEntry: (id: string) => findStored(store, id),
    /** The newest entries within a span of time. */
    journalWindow: (wish: WindowWish) => readWindow(store, wish),
    /** How much happened when, in so many equal parts of the journal's time; undefined if nothing has happened. */
    journalOverview: (parts: number) => sampleJournal(store, parts),
    /** Calls back when the journal may have grown, and also at regular intervals. */
    watchJournal: (onChange: () => void, how: WatchOptions) => watchFolder(store.paths.root, onChange, how),
    /** The current file: its identity, whatever its name, and its size in bytes; undefined if there is none. */
    journalFile() {
      const found = lstatSync(store.paths.journal, { throwIfNoEntry: false });
      return found && { identity: `${found.dev}-${found.ino}`, size: found.size };
    },
    /** When the army itself last wrote something, in milliseconds since 1970. */
    lastSign: () => findLastSign(store),
  };
}
