/**
 * The store: where it is, which process has it open, the checks that every access makes, and how it is created.
 *
 * Opening it changes nothing. The first access creates what is missing. Later ones never recreate a relay folder that
 * has disappeared as a whole: its session has been ended, and mail written there would never be read.
 */
import { existsSync, lstatSync, mkdirSync, readdirSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import * as z from "zod/mini";
import { RECIPIENTS, ROLES, type Recipient, type Role } from "../../army/roles.ts";
import { MOST_MAIL, type MailLimits } from "../../army/words.ts";
import { publishNewFile, syncPath, type PublishStep } from "../../system/durable-files.ts";
import { explainFileError, hasErrorCode } from "../../system/file-error.ts";
import { OvldError } from "../../system/ovld-error.ts";
import { isFolder } from "../../system/paths.ts";
import { identifyOurselves } from "../../system/process.ts";
import { examineRecord, writeRecord } from "../../system/record.ts";
import type { Origin } from "../journal/journal-entry.ts";
import type { Status } from "../records/army-record.ts";
import { cacheUnchanged } from "./cache-unchanged.ts";
import type { InboxCount } from "./inbox.ts";
import { type Header, type Message, createIdSource, randomDigits, type Clock } from "./message.ts";
import {
  asideName,
  parseAsideName,
  SPECIAL_FOLDERS,
  STORE_FOLDERS,
  STORE_FORMAT,
  storePaths,
  type StorePaths,
} from "./paths.ts";

/** The points at which a process may die while it delivers or claims; a test stops at each of them. */
export type Step =
  PublishStep | "counted" | "listed" | "moved" | "claimed" | "parsed" | "settling" | "removed" | "settled";

export type Store = ReturnType<typeof openStore>;

export interface StoreOptions {
  now?: Clock;
  onStep?: (step: Step) => void;
  /** Stricter limits than the store's own, if wanted. */
  limits?: MailLimits | undefined;
  /** What this process is, for the journal. */
  origin?: Omit<Origin, "process"> | undefined;
  /** Called with each message that this process has put into an inbox. */
  onStored?: (message: Message) => void;
  /** The store was created before this process started; if it is missing, its session has been ended. */
  known?: boolean;
}

export function openStore(root: string, options: StoreOptions = {}) {
  const { now = Date.now, limits = MOST_MAIL, origin, onStep, onStored, known = false } = options;
  const us = identifyOurselves();
  return {
    paths: storePaths(root),
    now,
    nextId: createIdSource(now),
    /** Marks the files that this reader or writer is working on; begins with the identity of the process. */
    owner: `${us}-${randomDigits()}`,
    /** The limits for senders; readers accept whatever the store allows. */
    limits,
    /** Recorded with each message that this process stores. */
    origin: origin && { ...origin, process: us },
    onStep,
    onStored,
    /** This process's last count of each inbox. */
    counts: new Map<Recipient, InboxCount>(),
    /** What has been read of messages that wait; undefined for files that are no messages. */
    headers: new Map<string, Header | undefined>(),
    /** Messages that were handed out and discarded once. */
    thrownAway: new Set<string>(),
    /** What could not be taken or set aside, and has been reported. */
    skipped: new Set<string>(),
    /** Whether this process has found or created the store before. */
    known,
    /** Whether this process has seen that the store's folders are its own. */
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
      makeStore(store);
      return action();
    }
  } catch (error) {
    if (hasErrorCode(error, "ENOENT") && !existsSync(store.paths.root)) throw gone(store);
    throw explainFileError(error, store.paths.root);
  }
}

/** A new path under `tmp/` for a file that is still being written; that of a message has the message's id. */
export function asideFor(store: Store, id = store.nextId()): string {
  return join(store.paths.tmp, asideName(store.owner, id));
}

export function saveRecord(store: Store, target: string, content: object, lasting = true): void {
  access(store, () => writeRecord(target, content, { aside: asideFor(store), lasting }));
}

/** For callers that know the folder belongs to the army: other files in it are no reason to refuse. */
export function initStore(store: Store): void {
  const { root, format } = store.paths;
  const found = lstatSync(root, { throwIfNoEntry: false });
  // The store could not be removed through a link, so this is refused before there is an army.
  if (found && !found.isDirectory()) throw foreign(root);
  store.known ||= found !== undefined;
  access(store, () => {
    makeStore(store);
    // No army is running now: relays of an older ovld would refuse a store with a newer format.
    const isOld = (readFormat(store.paths) ?? STORE_FORMAT) < STORE_FORMAT;
    if (isOld) writeRecord(format, { format: STORE_FORMAT }, { aside: asideFor(store) });
  });
}

/** The format of the existing store; undefined if there is none. Every access to a store asks for it. */
export function readFormat(paths: StorePaths): number | undefined {
  return formatIn(paths.format);
}

const formatIn = cacheUnchanged((path): number | undefined => {
  const file = examineRecord(path, formatFile);
  if ("missing" in file) return undefined;
  if ("content" in file) return file.content.format;
  throw foreign(path);
});

/** Other programs have files of that name, too. A newer ovld may have added fields to its own. */
const formatFile = z.union([
  z.strictObject({ format: z.int().check(z.positive()) }),
  z.object({ format: z.int().check(z.gt(STORE_FORMAT)) }),
]);

function requireStore(store: Store): void {
  const { root } = store.paths;
  const taken = store.checked ? undefined : findForeign(root);
  if (taken !== undefined) throw foreign(taken);
  store.checked = true;
  const format = readFormat(store.paths);
  if (format === undefined) {
    if (store.known && !existsSync(root)) throw gone(store);
    // A folder that was named by mistake must not be taken for a store just because it contains `tmp`. But another
    // process may have finished making the store after the first look.
    if (!store.known && existsSync(root) && !isHalfMade(root) && readFormat(store.paths) === undefined) {
      throw new OvldError({ code: "folder-taken", facts: { path: root } });
    }
    makeStore(store);
  } else if (format > STORE_FORMAT) {
    throw new OvldError({ code: "store-newer", facts: { path: root, found: format, known: STORE_FORMAT } });
  }
  store.known = true;
}

/** The first of the store's folders in whose place is a link, or anything else: our files would go elsewhere. */
export function findForeign(root: string): string | undefined {
  return STORE_FOLDERS.map((name) => join(root, name)).find(isForeign);
}

/** Whether anything but a folder is there. */
export function isForeign(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === false;
}

/** Creates the store, or whatever is missing in it; existing files stay as they are. */
function makeStore(store: Store): void {
  const { paths } = store;
  const made = mkdirSync(paths.root, { recursive: true, mode: 0o700 });
  if (made !== undefined) syncPath(dirname(made));
  for (const folder of STORE_FOLDERS)
    if (!SPECIAL_FOLDERS.includes(folder)) makeFolder(join(paths.root, folder));
  for (const reader of RECIPIENTS)
    for (const folder of [paths.inbox(reader), paths.claims(reader)]) makeFolder(folder);
  for (const role of ROLES) {
    makeFolder(paths.requestsOf(role));
    makeFile(store, paths.status(role), initialStatus(role));
  }
  // Written last, because its presence says that the rest is complete.
  makeFile(store, paths.format, { format: STORE_FORMAT });
}

export function initialStatus(role: Role): Status {
  return { role, status: "idle", task: "", updated: null };
}

/** False if the file exists; true for exactly one of the processes that try at the same time. */
export function makeFile(store: Store, target: string, content: object): boolean {
  const text = `${JSON.stringify(content)}\n`;
  return !existsSync(target) && publishNewFile({ aside: asideFor(store), target, content: text });
}

/** A link instead of a folder would lead our files out of the store. */
function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
    syncPath(dirname(path));
  } catch (error) {
    if (!hasErrorCode(error, "EEXIST")) throw error;
    if (!isFolder(path)) throw foreign(path);
  }
}

const ROLE = `(?:${ROLES.join("|")})`;
const FIRST_FOLDER = new RegExp(
  `^(?:${STORE_FOLDERS.join("|")}|(?:inbox|claimed|requests)/(?:${RECIPIENTS.join("|")}))$`,
);
const FIRST_STATUS = new RegExp(`^status/${ROLE}\\.json$`);

/**
 * Whether a folder without the store's mark is a store whose creation was interrupted, rather than the person's own
 * folder. The mark is written last, so an interrupted creation leaves only empty store folders and their first files.
 */
export function isHalfMade(root: string): boolean {
  if (!readdirSync(root).every((name) => FIRST_FOLDER.test(name))) return false;
  return readdirSync(root, { withFileTypes: true, recursive: true }).every((entry) => {
    const path = relative(root, join(entry.parentPath, entry.name));
    if (entry.isDirectory()) return FIRST_FOLDER.test(path);
    const isAside = dirname(path) === "tmp" && parseAsideName(entry.name) !== undefined;
    return isAside || FIRST_STATUS.test(path);
  });
}

function foreign(path: string): OvldError {
  return new OvldError({ code: "store-foreign", facts: { path } });
}

function gone(store: Store): OvldError {
  return new OvldError({ code: "store-gone", facts: { path: store.paths.root } });
}
