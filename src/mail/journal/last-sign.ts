/**
 * When an army last wrote something to its store, as the best estimate of when it was cut off. What the person has sent
 * it since does not count. Changes nothing.
 */
import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { readJournal } from "./read-journal.ts";
import type { Store } from "../store/store.ts";

/** Milliseconds since 1970. */
export function findLastSign(store: Store): number {
  const { paths } = store;
  const folders = [paths.presence, paths.agents, paths.statuses, paths.conversations];
  const files = folders.flatMap((folder) => namesIn(folder).map((name) => join(folder, name)));
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

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
