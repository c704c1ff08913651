/** Sets a broken file aside for the person to look at, so that it blocks nothing. */
import { lstatSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import type { Role } from "../../army/roles.ts";
import { cleanLine } from "../../system/clean-text.ts";
import { moveFile, removeTree } from "../../system/durable-files.ts";
import type { JournalEvent } from "../journal/journal-entry.ts";
import { writeJournal } from "../journal/journal.ts";
import type { Store } from "./store.ts";

interface Found {
  role: Role;
  why: string;
  /** The name under which it was found, if it has been renamed since. */
  file?: string;
}

export function quarantine(store: Store, path: string, { role, why, file = basename(path) }: Found): void {
  const kept = `${store.nextId()}.${role}`;
  if (!moveFile(path, join(store.paths.quarantine, kept))) return;
  writeJournal(store, [{ event: "quarantined", role, file: cleanLine(file), kept, why }]);
  dropOldest(store.paths.quarantine, (event) => writeJournal(store, [event]));
}

const KEPT_NAME = /^[0-9a-z]{12}-[0-9a-z]{6}\.[a-z]+$/;
const MOST_KEPT = 500;
const KEPT_AFTER_DROPPING = 450;

/** Removes the oldest files of a quarantine that has too many: a faulty program or machine may create them without end. */
export function dropOldest(folder: string, note: (event: JournalEvent) => void): void {
  const names = readdirSync(folder).filter((name) => KEPT_NAME.test(name));
  if (names.length <= MOST_KEPT) return;
  const oldest = names.toSorted().slice(0, names.length - KEPT_AFTER_DROPPING);
  const sizes = oldest.map((name) => lstatSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0);
  for (const name of oldest) removeTree(join(folder, name));
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  note({ event: "dropped", what: "quarantine", files: oldest.length, bytes });
}
