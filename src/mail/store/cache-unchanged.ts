/**
 * Reads a folder or a file again only when it has changed, so that frequent looks cost almost nothing.
 *
 * A change time is only as fine as the kernel's tick, and on some file systems a whole second. A second change within
 * that time would go unnoticed, so the result is not cached if the change was that recent. What could not be read is
 * not cached either: it may become readable without a change.
 */
import { lstatSync } from "node:fs";
import { tryTo } from "../../system/file-error.ts";

const LONGEST_TICK_MS = 50;
const SECOND_MS = 1_000;
/** Readers' folders come and go; above this number of paths the whole cache is cleared. */
const MOST_PATHS = 256;

/** A path for which `read` returns undefined or throws is read each time. */
export function cacheUnchanged<Content>(read: (path: string) => Content): (path: string) => Content {
  const cache = new Map<string, { changedAt: number; inode: number; content: Content }>();
  return (path) => {
    // What cannot be looked at has a time that equals no other.
    const { ctimeMs: changedAt = NaN, ino: inode = 0 } = tryTo(() => lstatSync(path)) ?? {};
    const known = cache.get(path);
    if (known?.changedAt === changedAt && known.inode === inode) return known.content;
    const age = Math.abs(Date.now() - changedAt);
    if (cache.size >= MOST_PATHS) cache.clear();
    cache.delete(path);
    const content = read(path);
    const tick = changedAt % SECOND_MS === 0 ? SECOND_MS + LONGEST_TICK_MS : LONGEST_TICK_MS;
    if (content !== undefined && age > tick) cache.set(path, { changedAt, inode, content });
    return content;
  };
}

/**
 * The same for what is in a folder; nothing if there is no folder, or if it cannot be read right now. `read` must
 * depend only on the names in the folder, or on files that never change.
 */
export function cacheFolder<Item>(read: (folder: string) => Item[]): (folder: string) => Item[] {
  const recall = cacheUnchanged(read);
  return (folder) => tryTo(() => recall(folder)) ?? [];
}
