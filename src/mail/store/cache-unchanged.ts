/**
 * Reads a folder or a file again only when it has changed, so that frequent looks cost almost nothing.
 *
 * A change time is only as fine as the kernel's tick, and on some file systems a whole second. A second change within
 * that time would go unnoticed, so the result is not cached if the change was that recent. What could not be read is
 * not cached either: it may become readable without a change.
 */
import { lstatSync, type Stats } from "node:fs";

const LONGEST_TICK_MS = 50;
const SECOND_MS = 1_000;
/** Readers' folders come and go; above this number of paths the whole cache is cleared. */
const MOST_PATHS = 64;

/**
 * `read` must depend only on the names in the folder, or on files that never change. Links are not followed; they and
 * folders that cannot be read give `none`.
 */
export function cacheByFolder<Content>(
  read: (folder: string) => Content,
  none: Content,
): (folder: string) => Content {
  const recall = rememberUnchanged<Content>();
  return (path) => {
    const found = lookAt(path);
    if (!found?.isDirectory()) return none;
    return recall(path, found, () => orUndefined(() => read(path))) ?? none;
  };
}

/** Whatever is not a plain file is read each time, and so is a file for which `read` returns undefined or throws. */
export function cacheByFile<Content>(
  read: (path: string) => Content | undefined,
): (path: string) => Content | undefined {
  const recall = rememberUnchanged<Content>();
  return (path) => {
    const found = lookAt(path);
    return found?.isFile() ? recall(path, found, () => read(path)) : read(path);
  };
}

type Recall<Content> = (path: string, found: Stats, read: () => Content | undefined) => Content | undefined;

function rememberUnchanged<Content>(): Recall<Content> {
  const cache = new Map<string, { changedAt: number; inode: number; content: Content }>();
  return (path, { ctimeMs: changedAt, ino: inode }, read) => {
    const known = cache.get(path);
    if (known?.changedAt === changedAt && known.inode === inode) return known.content;
    const lookedAt = Date.now();
    if (cache.size >= MOST_PATHS) cache.clear();
    cache.delete(path);
    const content = read();
    const isSettled = Math.abs(lookedAt - changedAt) > tickOf(changedAt);
    if (content !== undefined && isSettled) cache.set(path, { changedAt, inode, content });
    return content;
  };
}

function tickOf(changedAt: number): number {
  return changedAt % SECOND_MS === 0 ? SECOND_MS + LONGEST_TICK_MS : LONGEST_TICK_MS;
}

function lookAt(path: string): Stats | undefined {
  return orUndefined(() => lstatSync(path, { throwIfNoEntry: false }));
}

function orUndefined<Result>(look: () => Result): Result | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
