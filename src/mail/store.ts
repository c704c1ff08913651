/**
 * The store: where it lies, who has it open, and the care every access takes.
 *
 * Opening touches nothing. The first access makes what is missing. Later ones never bring back a relay folder
 * that has vanished as a whole: its session has been ended, and writing there would leave mail nobody reads.
 */
import { identifyOurselves } from "../system/process-identity.ts";
import { existsSync, lstatSync } from "node:fs";
import { MOST_MAIL, type MailLimits } from "../army/mail-limits.ts";
import type { Role } from "../army/roles.ts";
import { explainFileError, hasErrorCode } from "../system/file-error.ts";
import type { PublishStep } from "../system/durable-files.ts";
import { OvldError } from "../system/ovld-error.ts";
import type { Origin } from "./journal-entry.ts";
import type { InboxCounts } from "./inbox-room.ts";
import { initStore, readFormat } from "./init.ts";
import { isHalfMade } from "./half-made.ts";
import { createIdSource, randomDigits, type Clock, type NextId } from "./message-id.ts";
import { requireOwnFolders } from "./own-folders.ts";
import { STORE_FORMAT, storePaths, type StorePaths } from "./paths.ts";
import type { Sealing } from "./seal.ts";

/** The moments at which a process may die while it delivers or claims; a test visits each. */
export type Step =
  PublishStep | "counted" | "listed" | "moved" | "claimed" | "parsed" | "settling" | "removed" | "settled";

export interface Store {
  readonly paths: StorePaths;
  readonly now: Clock;
  readonly nextId: NextId;
  /** Marks what this reader or writer is at work on; begins with the identity of the process. */
  readonly owner: string;
  /** What a sender keeps to; readers take what the store takes. */
  readonly limits: MailLimits;
  /** Noted with each message that this process stores. */
  readonly origin: Origin | undefined;
  readonly sealing: Sealing | undefined;
  readonly onStep: ((step: Step) => void) | undefined;
  /** What this process last counted in each inbox. */
  readonly counts: InboxCounts;
  /** The agent reports that this process wrote last. */
  readonly reports: Map<Role, string>;
  /** Messages that were handed out and thrown away once. */
  readonly thrownAway: Set<string>;
  /** What could not be taken or set aside, and was told. */
  readonly skipped: Set<string>;
  /** Whether this process has found or made the store before. */
  known: boolean;
}

export interface StoreOptions {
  now?: Clock;
  onStep?: (step: Step) => void;
  /** Less than the store takes, if that is wanted. */
  limits?: MailLimits | undefined;
  /** What this process is, for the journal. */
  origin?: Omit<Origin, "process"> | undefined;
  sealing?: Sealing | undefined;
  /** Whoever started this process has made the store: if it is not there, its session has been ended. */
  known?: boolean;
}

export function openStore(root: string, options: StoreOptions = {}): Store {
  const { now = Date.now, limits = MOST_MAIL, origin, sealing, onStep, known = false } = options;
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
    sealing,
    onStep,
    counts: new Map(),
    reports: new Map(),
    thrownAway: new Set(),
    skipped: new Set(),
    known,
  };
}

/**
 * Runs one access to the store: in a store that exists, through folders that are its own, healed once if one is
 * missing, with errors explained.
 */
export function access<Result>(store: Store, through: readonly string[], action: () => Result): Result {
  try {
    requireStore(store);
    requireOwnFolders(store.paths.root, through);
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

/** For whoever knows that the folder is the army's own: what somebody left there is no reason to refuse. */
export function initAnywhere(store: Store): void {
  const { root } = store.paths;
  const found = lstatSync(root, { throwIfNoEntry: false });
  // Taking it down refuses a link in its place: better to say so before there is an army.
  if (found && !found.isDirectory()) throw new OvldError({ code: "store-foreign", facts: { path: root } });
  store.known ||= found !== undefined;
  access(store, [], () => initStore(store));
}

function requireStore(store: Store): void {
  const { root } = store.paths;
  const format = readFormat(store.paths);
  if (format === undefined) {
    if (store.known && !existsSync(root)) throw gone(store);
    // A folder that somebody named by mistake must not be taken for ours because of a `tmp` in it.
    if (!store.known && existsSync(root) && !isHalfMade(root)) {
      throw new OvldError({ code: "folder-taken", facts: { path: root } });
    }
    initStore(store);
  } else if (format > STORE_FORMAT) {
    throw new OvldError({ code: "store-newer", facts: { path: root, found: format, known: STORE_FORMAT } });
  }
  store.known = true;
}

function gone(store: Store): OvldError {
  return new OvldError({ code: "store-gone", facts: { path: store.paths.root } });
}
