/** When an army last wrote something to its store, as the best estimate of when it was cut off. Changes nothing. */
import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { StorePaths } from "./paths.ts";

/** Milliseconds since 1970. */
export function findLastSign(paths: StorePaths): number {
  const folders = [paths.presence, paths.agents, paths.statuses, paths.conversations];
  const files = folders.flatMap((folder) => namesIn(folder).map((name) => join(folder, name)));
  const times = [paths.format, paths.army, paths.journal, ...files].map(
    (path) => lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0,
  );
  return Math.max(...times);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
