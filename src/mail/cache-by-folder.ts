/**
 * Reads a folder again only when its entries have changed, so that frequent looks cost almost nothing.
 *
 * A folder's modification time is only as fine as the kernel's tick. A second change within one tick would go
 * unnoticed, so the result is not cached if the folder changed that recently.
 */
import { lstatSync } from "node:fs";

const LONGEST_TICK_MS = 50;
/** Readers' folders come and go; above this number the whole cache is cleared. */
const MOST_FOLDERS = 64;

interface Kept<Content> {
  changedAt: number;
  folder: number;
  content: Content;
}

/**
 * `read` must depend only on the names in the folder, or on files that never change. Links are not followed and give
 * `none`.
 */
export function cacheByFolder<Content>(
  read: (folder: string) => Content,
  none: Content,
): (folder: string) => Content {
  const cache = new Map<string, Kept<Content>>();
  return (path) => {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (!found?.isDirectory()) return none;
    const known = cache.get(path);
    if (known?.changedAt === found.mtimeMs && known.folder === found.ino) return known.content;
    const lookedAt = Date.now();
    const content = read(path);
    if (cache.size >= MOST_FOLDERS) cache.clear();
    cache.delete(path);
    if (Math.abs(lookedAt - found.mtimeMs) > LONGEST_TICK_MS) {
      cache.set(path, { changedAt: found.mtimeMs, folder: found.ino, content });
    }
    return content;
  };
}
