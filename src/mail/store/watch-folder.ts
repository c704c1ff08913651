/**
 * Reports changes in a folder: at once, and during a burst every few milliseconds. It also calls at regular
 * intervals, because a watch can overflow, stop reporting, or lose a folder that is recreated.
 */
import { watch, type FSWatcher } from "node:fs";

export interface FolderWatch {
  close(): void;
}

export interface WatchOptions {
  /** How often `onChange` is called even if no change was noticed. */
  rescanMs: number;
  /** Whether the watch keeps the process alive. */
  keepAlive?: boolean;
}

/** However many changes follow each other, the listener takes only a small share of the time. */
const RESTS_PER_CALL = 10;
const LONGEST_REST_MS = 100;

export function watchFolder(
  path: string,
  onChange: () => void,
  { rescanMs, keepAlive = false }: WatchOptions,
): FolderWatch {
  const changes = coalesce(onChange);
  let watcher = tryToWatch(path, changes.notice);
  const rescan = setInterval(() => {
    watcher ??= tryToWatch(path, changes.notice);
    onChange();
  }, rescanMs);
  if (!keepAlive) rescan.unref();
  function tryToWatch(folder: string, listener: () => void): FSWatcher | undefined {
    try {
      const made = watch(folder, { persistent: keepAlive }, (event, name) => {
        listener();
        // The folder itself is gone; one that appears later is a different folder.
        if (event === "rename" && name !== null && folder.endsWith(`/${name}`)) drop(made);
      });
      made.on("error", () => drop(made));
      return made;
    } catch {
      return undefined;
    }
  }
  function drop(lost: FSWatcher): void {
    lost.close();
    if (watcher === lost) watcher = undefined;
  }
  return {
    close() {
      clearInterval(rescan);
      changes.close();
      watcher?.close();
      watcher = undefined;
    },
  };
}

/**
 * The first of a series of calls runs at once, the others together after a rest. The rest is longer if the call took
 * longer, so a cheap call is soon repeated and an expensive one leaves time for everything else.
 */
function coalesce(call: () => void): { notice: () => void; close: () => void } {
  let isResting = false;
  let isClosed = false;
  let more = false;
  let rest: NodeJS.Timeout | undefined;
  const notice = (): void => {
    if (isResting) {
      more = true;
      return;
    }
    isResting = true;
    more = false;
    const began = performance.now();
    call();
    // By then the work that the call started is done as well.
    setImmediate(() => {
      if (isClosed) return;
      const restMs = Math.min(LONGEST_REST_MS, RESTS_PER_CALL * (performance.now() - began));
      rest = setTimeout(() => {
        isResting = false;
        if (more) notice();
      }, restMs);
    });
  };
  return {
    notice,
    close() {
      isClosed = true;
      clearTimeout(rest);
    },
  };
}
