/** The mail of one army, for everything outside this folder: its inboxes, its records, its journal, and its store. */
import { existsSync } from "node:fs";
import { explainFileError } from "../system/file-error.ts";
import { withLock } from "../system/lock-file.ts";
import { openJournal } from "./journal/journal.ts";
import { openRecords } from "./records/open-records.ts";
import {
  cleanUpStore,
  copyStore,
  type CopyOptions,
  diagnoseStore,
  takeInventory,
} from "./store/whole-store.ts";
import { openInboxes } from "./store/open-inboxes.ts";
import type { StoreLock } from "./store/paths.ts";
import { initStore, openStore, type StoreOptions } from "./store/store.ts";

export type Mail = ReturnType<typeof openMail>;

export function openMail(root: string, options?: StoreOptions) {
  const store = openStore(root, options);
  return {
    ...openInboxes(store),
    ...openRecords(store),
    ...openJournal(store),
    /** Whether the store exists. */
    exists: () => existsSync(store.paths.format),
    /** The files other than mail in the store. Changes nothing. */
    inventory: () => takeInventory(store.paths),
    /** What prevents an existing store from being used. */
    trouble: () => diagnoseStore(store.paths),
    /** Creates the store or what is missing in it, even if the folder contains other files; existing mail is kept. */
    init: () => initStore(store),
    /** Copies what outlives an army into a new folder. */
    copyTo: (path: string, how: CopyOptions) => copyStore(root, path, how),
    /** Removes the store: all of it, or all except the mail, the statuses and the journal. */
    cleanUp: (what?: { keepMail: boolean }) => cleanUpStore(root, what),
    /** Runs an action while no other ovld process has that lock. A store that has been removed is not recreated. */
    async whileHolding<Result>(
      name: StoreLock,
      stop: AbortSignal,
      action: () => Promise<Result>,
    ): Promise<Result> {
      const lock = store.paths.lock(name);
      try {
        return await withLock(lock, stop, action, { makesParents: false });
      } catch (error) {
        throw explainFileError(error, lock);
      }
    },
  };
}
