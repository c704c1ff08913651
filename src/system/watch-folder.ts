/**
 * Tells when something changes in a folder, soon; and looks again now and then, because a watch can overflow, fall
 * silent, or lose a folder that is made anew.
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

export function watchFolder(
  path: string,
  onChange: () => void,
  { rescanMs, keepAlive = false }: WatchOptions,
): FolderWatch {
  let watcher = tryToWatch(path, onChange);
  const rescan = setInterval(() => {
    watcher ??= tryToWatch(path, onChange);
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
      watcher?.close();
      watcher = undefined;
    },
  };
}
