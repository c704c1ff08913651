/** Limits how many broken files are kept: a faulty or hostile process or machine may create them without end. */
import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { removeTree } from "../../system/durable-files.ts";
import { LIMITS } from "./limits.ts";
import type { JournalEvent } from "../journal/journal-entry.ts";

const KEPT_NAME = /^[0-9a-z]{12}-[0-9a-z]{6}\.[a-z]+$/;

/** Removes the oldest files of a quarantine that has too many; `note` adds to the journal how many. */
export function dropOldest(folder: string, note: (event: JournalEvent) => void): void {
  const names = readdirSync(folder).filter((name) => KEPT_NAME.test(name));
  if (names.length <= LIMITS.quarantined) return;
  const oldest = names.toSorted().slice(0, names.length - (LIMITS.quarantined * 9) / 10);
  const sizes = oldest.map((name) => lstatSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0);
  for (const name of oldest) removeTree(join(folder, name));
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  note({ event: "dropped", what: "quarantine", files: oldest.length, bytes });
}
