/**
 * Reads an inbox so that no message is lost and no two readers get the same one.
 *
 * Each message is moved into this reader's own folder, which is named after its process; only one reader can do that.
 * Then all are handed over, and they are removed only when the caller reports that they have arrived (`settle`). If a
 * reader dies in between, they stay in its folder; the next reader sees that the owner is dead, takes them over and
 * marks them.
 */
import { lstatSync, mkdirSync, readdirSync, rmdirSync, unlinkSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { isRole, type Recipient } from "../../army/roles.ts";
import { cleanLine } from "../../system/clean-text.ts";
import { moveFile, syncPath } from "../../system/durable-files.ts";
import { tryTo, hasErrorCode } from "../../system/file-error.ts";
import { isProcessAlive } from "../../system/process.ts";
import { readPlainFile } from "../../system/read-file.ts";
import type { JournalEvent } from "../journal/journal-entry.ts";
import { isStopped, readBrakeDecision } from "../records/decision.ts";
import { endWait } from "../records/army-record.ts";
import { removeOldest, writeJournal } from "../journal/journal.ts";
import { findStored } from "../journal/read-journal.ts";
import { isMessageId, LIMITS, parseHeader, parseMessage, type ReceivedMessage } from "./message.ts";
import { isMessageFileName, messageFileName, messageIdOf, parseAsideName } from "./paths.ts";
import { lowerFlag } from "./inbox.ts";
import { access, type Store } from "./store.ts";

/** One reading of a role's mail. */
export interface Reading {
  store: Store;
  role: Recipient;
  /** The reader's own folder, which exists only while it holds something. */
  mine: string;
  /** The files in it, by name: whether an earlier claim already held the file, and its name in the inbox. */
  held: Map<string, { redelivered: boolean; was?: string }>;
}

function beginReading(store: Store, role: Recipient): Reading {
  return { store, role, mine: join(store.paths.claims(role), store.owner), held: new Map() };
}

/** Takes all unread mail of a role and lowers its flag. */
export function claimInbox(store: Store, role: Recipient) {
  return access(store, () => {
    const reading = beginReading(store, role);
    const { mine, held } = reading;
    // The flag goes down first, so that mail which arrives from now on rings again.
    tolerate(reading, store.paths.pending(role), () => lowerFlag(store, role));
    removeLeftovers(reading);
    for (const name of listHeld(mine)) held.set(name, { redelivered: true });
    takeOverFromTheDead(reading);
    const waiting = takeFromInbox(reading);
    const { messages, left } = readHeld(reading);
    return {
      ...handOut(reading, messages),
      /** How many more messages wait for the next claim. */
      remaining: waiting + left,
    };
  });
}

export interface ShortMail {
  /** Oldest first. */
  messages: readonly ReceivedMessage[];
  /** Call this once the messages have arrived. */
  settle: () => void;
  /** The same messages, still held, marked as delivered again. */
  again: () => ShortMail;
}

/** `most` is the total length allowed; `measure` gives the length of one file's text in its final form. */
export interface ShortLimit {
  most: number;
  measure: (text: string) => number;
}

/**
 * Claims short mail for a bell to carry: nothing, unless every message waits in the inbox and together they are short
 * enough. It is held like all mail that was handed out. The flag stays up, because the agent has only been rung.
 */
export function claimShort(
  store: Store,
  role: Recipient,
  ids: readonly string[],
  limit: ShortLimit,
): ShortMail | undefined {
  const inbox = store.paths.inbox(role);
  const names = ids.map(messageFileName);
  if (!ids.every(isMessageId) || !areShort(inbox, names, limit)) return undefined;
  return access(store, () => {
    const reading = beginReading(store, role);
    removeLeftovers(reading);
    take(reading, inbox, names, { redelivered: false });
    const { messages } = readHeld(reading);
    return messages.size === 0 ? undefined : handOut(reading, messages);
  });
}

function areShort(inbox: string, names: readonly string[], { most, measure }: ShortLimit): boolean {
  let left = most;
  for (const name of names) {
    const file = readPlainFile(join(inbox, name), most);
    left -= "text" in file ? measure(file.text) : Infinity;
    if (left < 0) return false;
  }
  return names.length > 0;
}

/** These messages on their way to their reader; `held` has them by the names of their files. */
function handOut(reading: Reading, held: Map<string, ReceivedMessage>) {
  const { store, role } = reading;
  const messages = [...held.values()];
  let isRecorded = false;
  const handOver = (): void => {
    if (isRecorded) return;
    isRecorded = true;
    const marked = messages.map(({ id, redelivered }) => ({ id, role, ...(redelivered && { redelivered }) }));
    writeJournal(store, ...marked.map((message) => ({ event: "read" as const, ...message })));
    if (role !== "human") tolerate(reading, store.paths.status(role), () => endWait(store, role, messages));
  };
  return {
    /** Oldest first; as many as fit into one answer. */
    messages,
    /** Call this when the messages are on their way to the reader: the journal then records them as read. */
    handOver,
    /** Call this once the messages have arrived; until then the next claim returns them again. */
    settle: (): void => {
      handOver();
      settle(reading, held);
    },
    /**
     * Call this when the reader says that it discarded the messages after they were written out to it: the next
     * claim returns them, marked. Some clients say this of every answer, so a message that is discarded a second
     * time is settled.
     */
    giveBack: (): void => {
      const before = [...held].filter(([, { id }]) => store.thrownAway.has(id));
      for (const { id } of messages) store.thrownAway.add(id);
      if (before.length > 0) settle(reading, new Map(before));
    },
    again: (): ShortMail => {
      const marked = [...held].map(([name, message]) => [name, { ...message, redelivered: true }] as const);
      return handOut(reading, new Map(marked));
    },
  };
}

function takeOverFromTheDead(reading: Reading): void {
  const { store, role } = reading;
  const claims = store.paths.claims(role);
  for (const entry of readdirSync(claims, { withFileTypes: true })) {
    if (entry.name === store.owner || !entry.isDirectory() || isProcessAlive(entry.name)) continue;
    const theirs = join(claims, entry.name);
    tolerate(reading, theirs, () => {
      take(reading, theirs, listHeld(theirs), { redelivered: true });
      removeIfEmpty(theirs);
    });
  }
}

/** Takes what fits next to the messages already held, and returns how many are left. */
function takeFromInbox(reading: Reading): number {
  const { store, role, mine, held } = reading;
  const inbox = store.paths.inbox(role);
  // What the person has stopped is not handed out with what comes after it.
  const decision = isRole(role) ? readBrakeDecision(store, role) : undefined;
  const waiting = readdirSync(inbox)
    .filter((name) => isMessageFileName(name) && !isStopped(decision, messageIdOf(name)))
    .toSorted();
  store.onStep?.("listed");
  const fits = roomForAnswer();
  for (const name of held.keys()) fits(join(mine, name));
  const fitting = waiting.filter((name) => fits(join(inbox, name)));
  take(reading, inbox, fitting, { redelivered: false });
  return waiting.length - fitting.length;
}

/** Moves these files from a folder into the reader's own. */
export function take(
  { store, mine, held }: Reading,
  from: string,
  names: readonly string[],
  { redelivered }: { redelivered: boolean },
): void {
  if (names.length === 0) return;
  if (mkdirSync(mine, { recursive: true, mode: 0o700 }) !== undefined) syncPath(dirname(mine));
  let refusal: Error | undefined;
  for (const name of names) {
    // A foreign name may clash with another, and must not become an id that a model reads.
    const isUsable = isMessageId(messageIdOf(name)) && !held.has(name);
    const own = isUsable ? name : messageFileName(store.nextId());
    try {
      if (moveFile(join(from, name), join(mine, own))) held.set(own, { redelivered, was: name });
      store.onStep?.("moved");
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      refusal ??= error;
    }
  }
  // One entry that cannot be moved must not block the rest; but if nothing moves, the reader gets the error.
  if (held.size === 0 && refusal !== undefined) throw refusal;
  syncPath(mine);
}

/** `left` is how many of the held files do not fit into one answer. */
function readHeld(reading: Reading): { messages: Map<string, ReceivedMessage>; left: number } {
  const { store, role, mine, held } = reading;
  store.onStep?.("claimed");
  const messages = new Map<string, ReceivedMessage>();
  const fits = roomForAnswer();
  let left = 0;
  for (const name of [...held.keys()].toSorted()) {
    const path = join(mine, name);
    if (!fits(path)) {
      left += 1;
      continue;
    }
    const file = readPlainFile(path, LIMITS.messageFileBytes);
    // A file that cannot be read right now stays held, and the next claim tries it again.
    if ("missing" in file || "unreadable" in file) continue;
    const message = "text" in file ? parseMessage(messageIdOf(name), role, file.text) : file;
    const { redelivered = false, was = name } = held.get(name) ?? {};
    if ("broken" in message) tolerate(reading, path, () => quarantine(reading, path, was, message.broken));
    else messages.set(name, { ...message, redelivered: redelivered || message.redelivered === true });
  }
  store.onStep?.("parsed");
  return { messages, left };
}

/** What an answer adds to a message's file. */
const FIELD_NAMES = '"id":,"redelivered":true,'.length;

/**
 * Says of one file after another whether it fits into an answer. The first always does. Once one does not fit, neither
 * do the rest, so that the order is kept.
 */
function roomForAnswer(): (path: string) => boolean {
  let left: number = LIMITS.claimBytes;
  let isEmpty = true;
  return (path) => {
    const bytes = lstatSync(path, { throwIfNoEntry: false })?.size ?? 0;
    // A file that is too large to be a message takes no room.
    left -= bytes > LIMITS.messageFileBytes ? 0 : bytes;
    left -= JSON.stringify(basename(path)).length + FIELD_NAMES;
    const fits = left >= 0 || isEmpty;
    isEmpty = false;
    return fits;
  };
}

function settle({ store, mine }: Reading, messages: Map<string, ReceivedMessage>): void {
  store.onStep?.("settling");
  for (const name of messages.keys()) {
    // A file that could not be removed comes back, marked: reading it twice is better than losing it.
    tryTo(() => unlinkSync(join(mine, name)));
    store.onStep?.("removed");
  }
  for (const { id } of messages.values()) store.thrownAway.delete(id);
  removeIfEmpty(mine);
  store.onStep?.("settled");
}

/** One bad entry must not block the rest of the mail: it stays where it is, and the journal names it once. */
export function tolerate({ store, role }: Reading, path: string, action: () => void): void {
  try {
    action();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if (store.skipped.has(path)) return;
    store.skipped.add(path);
    const file = relative(store.paths.root, path);
    writeJournal(store, { event: "skipped", role, file, why: error.message });
  }
}

function listHeld(folder: string): string[] {
  try {
    return readdirSync(folder).filter(isMessageFileName);
  } catch (error) {
    if (hasErrorCode(error, "ENOENT")) return [];
    throw error;
  }
}

function removeIfEmpty(folder: string): void {
  // The folder is not empty, or already gone.
  tryTo(() => rmdirSync(folder));
}

/**
 * Removes files that killed writers left under `tmp/`, and only files whose names the store itself makes. A writer
 * records a message before it removes that file. So if such a message is in place, its reader records it instead; for
 * other readers the file stays.
 */
function removeLeftovers({ store, role }: Reading): void {
  for (const name of readdirSync(store.paths.tmp)) {
    const { owner, id } = parseAsideName(name) ?? {};
    if (owner === undefined || id === undefined || isProcessAlive(owner)) continue;
    const path = join(store.paths.tmp, name);
    // Another process removed it first.
    tryTo(() => {
      const isInPlace = lstatSync(path).nlink > 1;
      if (!isInPlace || recordForTheDead(store, role, id, path)) unlinkSync(path);
    });
  }
}

/** False if it is mail for another role. */
function recordForTheDead(store: Store, role: Recipient, id: string, path: string): boolean {
  const file = readPlainFile(path, LIMITS.messageFileBytes);
  if (!("text" in file)) return false;
  // A status or the store's own mark, of which there is no record.
  if (parseHeader(id, file.text) === undefined) return true;
  const message = parseMessage(id, role, file.text);
  if ("broken" in message) return false;
  const { redelivered: _mark, ...stored } = message;
  if (findStored(store, id) === undefined) writeJournal(store, { event: "stored", ...stored });
  return true;
}

/** Sets a broken file aside for the person to look at, so that it blocks nothing. */
function quarantine({ store, role }: Reading, path: string, was: string, why: string): void {
  const kept = `${store.nextId()}.${role}`;
  if (!moveFile(path, join(store.paths.quarantine, kept))) return;
  writeJournal(store, { event: "quarantined", role, file: cleanLine(was), kept, why });
  dropOldest(store.paths.quarantine, (event) => writeJournal(store, event));
}

const KEPT_NAME = /^[0-9a-z]{12}-[0-9a-z]{6}\.[a-z]+$/;
const MOST_KEPT = 500;
const KEPT_AFTER_DROPPING = 450;

/** Removes the oldest files of a quarantine that has too many: a faulty program or machine may create them without end. */
export function dropOldest(folder: string, note: (event: JournalEvent) => void): void {
  const names = readdirSync(folder).filter((name) => KEPT_NAME.test(name));
  if (names.length <= MOST_KEPT) return;
  const paths = names.toSorted().map((name) => join(folder, name));
  const dropped = removeOldest(paths, ({ files }) => files > KEPT_AFTER_DROPPING);
  if (dropped) note({ event: "dropped", what: "quarantine", ...dropped });
}
