/**
 * Reads a folder again only when its entries have changed, so that frequent looks cost almost nothing.
 *
 * A folder's change time is only as fine as the kernel's tick, and on some file systems a whole second. A second change
 * within that time would go unnoticed, so the result is not cached if the folder changed that recently. A folder that
 * could not be read is not cached either: it may become readable without a change.
 */
import { lstatSync, type Stats } from "node:fs";

const LONGEST_TICK_MS = 50;
const SECOND_MS = 1_000;
/** Readers' folders come and go; above this number the whole cache is cleared. */
const MOST_FOLDERS = 64;

interface Kept<Content> {
  changedAt: number;
  folder: number;
  content: Content;
}

/**
 * `read` must depend only on the names in the folder, or on files that never change. Links are not followed; they and
 * folders that cannot be read give `none`.
 */
export function cacheByFolder<Content>(
  read: (folder: string) => Content,
  none: Content,
): (folder: string) => Content {
  const cache = new Map<string, Kept<Content>>();
  return (path) => {
    const found = orUndefined((): Stats | undefined => lstatSync(path, { throwIfNoEntry: false }));
    if (!found?.isDirectory()) return none;
    // Not `mtimeMs`, because any process can set it back.
    const { ctimeMs: changedAt, ino: folder } = found;
    const known = cache.get(path);
    if (known?.changedAt === changedAt && known.folder === folder) return known.content;
    const lookedAt = Date.now();
    const content = orUndefined(() => read(path));
    if (cache.size >= MOST_FOLDERS) cache.clear();
    cache.delete(path);
    if (content === undefined) return none;
    if (Math.abs(lookedAt - changedAt) > tickOf(changedAt)) cache.set(path, { changedAt, folder, content });
    return content;
  };
}

function tickOf(changedAt: number): number {
  return changedAt % SECOND_MS === 0 ? SECOND_MS + LONGEST_TICK_MS : LONGEST_TICK_MS;
}

function orUndefined<Result>(look: () => Result): Result | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
