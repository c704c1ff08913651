/**
 * The messages that a reader has taken and not yet settled. Each is a file in the reader's own folder, which is named
 * after the reader's process, so the next reader finds them if this one dies.
 */
import { lstatSync, mkdirSync, readdirSync, rmdirSync, unlinkSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { Role } from "../../army/roles.ts";
import { cleanLine } from "../../system/clean-text.ts";
import { moveFile, removeTree, syncFolder } from "../../system/durable-files.ts";
import { hasErrorCode } from "../../system/file-error.ts";
import { readPlainFile } from "../../system/read-file.ts";
import type { JournalEvent } from "../journal/journal-entry.ts";
import { writeJournal } from "../journal/journal.ts";
import { isMessageId, LIMITS, parseMessage, type ReceivedMessage } from "./message.ts";
import { isMessageFileName, messageFileName, messageIdOf } from "./paths.ts";
import type { Store } from "./store.ts";

/** The files this reader holds, by name: whether an earlier claim already held the file, and its name in the inbox. */
export type Held = Map<string, { redelivered: boolean; was?: string }>;

interface Taking {
  /** The folder the files are in, and their names. */
  from: string;
  names: string[];
  /** The reader's own folder, and what it holds. */
  mine: string;
  held: Held;
  redelivered: boolean;
}

export function take(store: Store, { from, names, mine, held, redelivered }: Taking): void {
  if (names.length === 0) return;
  if (mkdirSync(mine, { recursive: true, mode: 0o700 }) !== undefined) syncFolder(dirname(mine));
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
  syncFolder(mine);
}

export function readHeld(
  store: Store,
  role: Role,
  mine: string,
  held: Held,
): { messages: Map<string, ReceivedMessage>; left: number } {
  store.onStep?.("claimed");
  const messages = new Map<string, ReceivedMessage>();
  const room = roomForAnswer();
  let left = 0;
  for (const name of [...held.keys()].toSorted()) {
    const path = join(mine, name);
    if (!room.take(name, sizeOf(path))) {
      left += 1;
      continue;
    }
    const file = readPlainFile(path, LIMITS.messageFileBytes);
    // A file that cannot be read right now stays held, and the next claim tries it again.
    if ("missing" in file || "unreadable" in file) continue;
    const message = "text" in file ? parseMessage(messageIdOf(name), role, file.text) : file;
    const { redelivered = false, was = name } = held.get(name) ?? {};
    if ("broken" in message) {
      const why = message.broken;
      tolerate(store, role, path, () => quarantine(store, path, { role, why, file: was }));
    } else messages.set(name, { ...message, redelivered: redelivered || message.redelivered === true });
  }
  store.onStep?.("parsed");
  return { messages, left };
}

/** The first message always fits. Once one does not fit, neither do the rest, so that the order is kept. */
export function roomForAnswer(): { take(name: string, bytes: number): boolean } {
  let left: number = LIMITS.claimBytes;
  let isEmpty = true;
  return {
    take(name, bytes) {
      left -= bytes + JSON.stringify(name).length + FIELD_NAMES;
      const fits = left >= 0 || isEmpty;
      isEmpty = false;
      return fits;
    },
  };
}

/** What an answer adds to a message's file. */
const FIELD_NAMES = '"id":,"redelivered":true,'.length;

/** A file that is too large to be a message takes no room in an answer. */
export function sizeOf(path: string): number {
  const bytes = lstatSync(path, { throwIfNoEntry: false })?.size ?? 0;
  return bytes > LIMITS.messageFileBytes ? 0 : bytes;
}

/** Records the messages in the journal as read. */
export function recordReading(store: Store, role: Role, messages: ReceivedMessage[]): void {
  const marked = messages.map(({ id, redelivered }) => ({ id, role, ...(redelivered && { redelivered }) }));
  writeJournal(
    store,
    marked.map((message) => ({ event: "read", ...message })),
  );
}

export function settle(store: Store, mine: string, messages: Map<string, ReceivedMessage>): void {
  store.onStep?.("settling");
  for (const name of messages.keys()) {
    try {
      unlinkSync(join(mine, name));
    } catch {
      // A file that could not be removed comes back, marked: reading it twice is better than losing it.
    }
    store.onStep?.("removed");
  }
  for (const { id } of messages.values()) store.thrownAway.delete(id);
  removeIfEmpty(mine);
  store.onStep?.("settled");
}

/** One bad entry must not block the rest of the mail: it stays where it is, and the journal names it once. */
export function tolerate(store: Store, role: Role, path: string, action: () => void): void {
  try {
    action();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if (store.skipped.has(path)) return;
    store.skipped.add(path);
    writeJournal(store, [
      { event: "skipped", role, file: relative(store.paths.root, path), why: error.message },
    ]);
  }
}

/** A reader's folder exists only while it holds something. */
export function listHeld(folder: string): string[] {
  try {
    return readdirSync(folder).filter(isMessageFileName);
  } catch (error) {
    if (hasErrorCode(error, "ENOENT")) return [];
    throw error;
  }
}

export function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // The folder is not empty, or already gone.
  }
}

interface Broken {
  role: Role;
  why: string;
  /** The name under which it was found. */
  file: string;
}

/** Sets a broken file aside for the person to look at, so that it blocks nothing. */
function quarantine(store: Store, path: string, { role, why, file }: Broken): void {
  const kept = `${store.nextId()}.${role}`;
  if (!moveFile(path, join(store.paths.quarantine, kept))) return;
  writeJournal(store, [{ event: "quarantined", role, file: cleanLine(file), kept, why }]);
  dropOldest(store.paths.quarantine, (event) => writeJournal(store, [event]));
}

const KEPT_NAME = /^[0-9a-z]{12}-[0-9a-z]{6}\.[a-z]+$/;
const MOST_KEPT = 500;
const KEPT_AFTER_DROPPING = 450;

/** Removes the oldest files of a quarantine that has too many: a faulty program or machine may create them without end. */
export function dropOldest(folder: string, note: (event: JournalEvent) => void): void {
  const names = readdirSync(folder).filter((name) => KEPT_NAME.test(name));
  if (names.length <= MOST_KEPT) return;
  const oldest = names.toSorted().slice(0, names.length - KEPT_AFTER_DROPPING);
  const sizes = oldest.map((name) => lstatSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0);
  for (const name of oldest) removeTree(join(folder, name));
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  note({ event: "dropped", what: "quarantine", files: oldest.length, bytes });
}
