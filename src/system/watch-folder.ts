/**
 * Tells when something changes in a folder: at once, and during a burst of changes every few milliseconds. It also looks
 * again now and then, because a watch can overflow, fall silent, or lose a folder that is made anew.
 */
import { watch, type FSWatcher } from "node:fs";

export interface FolderWatch {
  close(): void;
}

export interface WatchOptions {
  /** How often `onChange` is called even if nothing was noticed. */
  rescanMs: number;
  /** Whether the watch keeps the process alive. */
  keepAlive?: boolean;
}

/** However many changes come in a row, the listener is called no more often than this. */
const BURST_MS = 25;

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
        // The folder itself has gone: what stands there later is another one.
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

/** The first of a row of calls goes through at once, the others together when the pause after it is over. */
function coalesce(call: () => void): { notice: () => void; close: () => void } {
  let pause: NodeJS.Timeout | undefined;
  let more = false;
  const notice = (): void => {
    if (pause !== undefined) {
      more = true;
      return;
    }
    pause = setTimeout(() => {
      pause = undefined;
      if (more) notice();
    }, BURST_MS);
    more = false;
    call();
  };
  return { notice, close: () => clearTimeout(pause) };
}
