/**
 * The store: where it is, which process has it open, and the checks that every access makes.
 *
 * Opening it changes nothing. The first access creates what is missing. Later ones never recreate a relay folder that
 * has disappeared as a whole: its session has been ended, and mail written there would never be read.
 */
import { identifyOurselves } from "../../system/process.ts";
import { existsSync, lstatSync } from "node:fs";
import { join } from "node:path";
import { MOST_MAIL, type MailLimits } from "../../army/words.ts";
import { explainFileError, hasErrorCode } from "../../system/file-error.ts";
import type { PublishStep } from "../../system/durable-files.ts";
import { OvldError } from "../../system/ovld-error.ts";
import type { Origin } from "../journal/journal-entry.ts";
import type { InboxCounts } from "./inbox-room.ts";
import { initStore, raiseFormat, readFormat } from "./init.ts";
import { isHalfMade } from "./half-made.ts";
import { createIdSource, randomDigits, type Clock, type NextId } from "./message-id.ts";
import { STORE_FOLDERS, STORE_FORMAT, storePaths, type StorePaths } from "./paths.ts";

/** The points at which a process may die while it delivers or claims; a test stops at each of them. */
export type Step =
  PublishStep | "counted" | "listed" | "moved" | "claimed" | "parsed" | "settling" | "removed" | "settled";

export interface Store {
  readonly paths: StorePaths;
  readonly now: Clock;
  readonly nextId: NextId;
  /** Marks the files that this reader or writer is working on; begins with the identity of the process. */
  readonly owner: string;
  /** The limits for senders; readers accept whatever the store allows. */
  readonly limits: MailLimits;
  /** Recorded with each message that this process stores. */
  readonly origin: Origin | undefined;
  readonly onStep: ((step: Step) => void) | undefined;
  /** This process's last count of each inbox. */
  readonly counts: InboxCounts;
  /** Messages that were handed out and discarded once. */
  readonly thrownAway: Set<string>;
  /** What could not be taken or set aside, and has been reported. */
  readonly skipped: Set<string>;
  /** Whether this process has found or created the store before. */
  known: boolean;
  /** Whether this process has seen that the store's folders are its own. */
  checked: boolean;
}

export interface StoreOptions {
  now?: Clock;
  onStep?: (step: Step) => void;
  /** Stricter limits than the store's own, if wanted. */
  limits?: MailLimits | undefined;
  /** What this process is, for the journal. */
  origin?: Omit<Origin, "process"> | undefined;
  /** The store was created before this process started; if it is missing, its session has been ended. */
  known?: boolean;
}

export function openStore(root: string, options: StoreOptions = {}): Store {
  const { now = Date.now, limits = MOST_MAIL, origin, onStep, known = false } = options;
  const us = identifyOurselves();
  const owner = `${us}-${randomDigits()}`;
  const nextId = createIdSource(now);
  return {
    paths: storePaths(root),
    now,
    nextId,
    owner,
    limits,
    origin: origin && { ...origin, process: us },
    onStep,
    counts: new Map(),
    thrownAway: new Set(),
    skipped: new Set(),
    known,
    checked: false,
  };
}

/**
 * Runs one access to the store: the store must exist, its folders must be its own when this process first looks, a
 * missing folder is created once, and errors are explained.
 */
export function access<Result>(store: Store, action: () => Result): Result {
  try {
    requireStore(store);
    try {
      return action();
    } catch (error) {
      if (!hasErrorCode(error, "ENOENT", "ENOTDIR") || !existsSync(store.paths.root)) throw error;
      initStore(store);
      return action();
    }
  } catch (error) {
    if (hasErrorCode(error, "ENOENT") && !existsSync(store.paths.root)) throw gone(store);
    throw explainFileError(error, store.paths.root);
  }
}

/** For callers that know the folder belongs to the army: other files in it are no reason to refuse. */
export function initAnywhere(store: Store): void {
  const { root } = store.paths;
  const found = lstatSync(root, { throwIfNoEntry: false });
  // The store could not be removed through a link, so this is refused before there is an army.
  if (found && !found.isDirectory()) throw new OvldError({ code: "store-foreign", facts: { path: root } });
  store.known ||= found !== undefined;
  access(store, () => {
    initStore(store);
    raiseFormat(store);
  });
}

function requireStore(store: Store): void {
  const { root } = store.paths;
  if (!store.checked) requireOwnFolders(root);
  store.checked = true;
  const format = readFormat(store.paths);
  if (format === undefined) {
    if (store.known && !existsSync(root)) throw gone(store);
    // A folder that was named by mistake must not be taken for a store just because it contains `tmp`. But another
    // process may have finished making the store after the first look.
    if (!store.known && existsSync(root) && !isHalfMade(root) && readFormat(store.paths) === undefined) {
      throw new OvldError({ code: "folder-taken", facts: { path: root } });
    }
    initStore(store);
  } else if (format > STORE_FORMAT) {
    throw new OvldError({ code: "store-newer", facts: { path: root, found: format, known: STORE_FORMAT } });
  }
  store.known = true;
}

/** Throws if a link, or anything else, is in place of one of the store's folders: our files would go elsewhere. */
function requireOwnFolders(root: string): void {
  for (const path of STORE_FOLDERS.map((name) => join(root, name))) {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found && !found.isDirectory()) throw new OvldError({ code: "store-foreign", facts: { path } });
  }
}

function gone(store: Store): OvldError {
  return new OvldError({ code: "store-gone", facts: { path: store.paths.root } });
}
