/**
 * Reads a folder again only when its entries have changed, so that looking often costs next to nothing.
 *
 * A folder's time of change is as coarse as the kernel's tick. A second change within that tick would leave no trace,
 * so what was read that soon after a change is not kept.
 */
import { lstatSync } from "node:fs";

const LONGEST_TICK_MS = 50;
/** Folders of readers come and go: what nobody asks for any more is forgotten together with the rest. */
const MOST_FOLDERS = 64;

interface Kept<Content> {
  changedAt: number;
  folder: number;
  content: Content;
}

/** `read` must go by the names in the folder alone, or by files that never change. A link is not followed: `none`. */
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
