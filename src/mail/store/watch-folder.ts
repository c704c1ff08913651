/**
 * Reports changes in a folder: at once, and during a burst every few milliseconds. It also calls at regular
 * intervals, because a watch can overflow, stop reporting, or lose a folder that is recreated.
 */
import { watch, type FSWatcher } from "node:fs";
import { tryTo } from "../../system/file-error.ts";

export type FolderWatch = ReturnType<typeof watchFolder>;

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
) {
  const changes = coalesce(onChange);
  let watcher: FSWatcher | undefined;
  const watchAgain = (): void => {
    // There is no such folder yet, or no more can be watched.
    tryTo(() => {
      const made = watch(path, { persistent: keepAlive }, (event, name) => {
        changes.notice();
        // The folder itself is gone; one that appears later is a different folder.
        if (event === "rename" && name !== null && path.endsWith(`/${name}`)) drop(made);
      });
      made.on("error", () => drop(made));
      watcher = made;
    });
  };
  const drop = (lost: FSWatcher): void => {
    lost.close();
    if (watcher === lost) watcher = undefined;
  };
  watchAgain();
  const rescan = setInterval(() => {
    if (watcher === undefined) watchAgain();
    onChange();
  }, rescanMs);
  if (!keepAlive) rescan.unref();
  return {
    close: (): void => {
      clearInterval(rescan);
      changes.close();
      if (watcher) drop(watcher);
    },
  };
}

/**
 * The first of a series of calls runs at once, the others together after a rest. The rest is longer if the call took
 * longer, so a cheap call is soon repeated and an expensive one leaves time for everything else.
 */
function coalesce(call: () => void): { notice: () => void; close: () => void } {
  let state: "free" | "resting" | "wanted" | "closed" = "free";
  const notice = (): void => {
    if (state !== "free") {
      if (state === "resting") state = "wanted";
      return;
    }
    state = "resting";
    const began = performance.now();
    call();
    // By then the work that the call started is done as well.
    setImmediate(() => {
      const restMs = Math.min(LONGEST_REST_MS, RESTS_PER_CALL * (performance.now() - began));
      setTimeout(() => {
        const isWanted = state === "wanted";
        if (state !== "closed") state = "free";
        if (isWanted) notice();
      }, restMs).unref();
    });
  };
  return { notice, close: () => (state = "closed") };
}
