/**
 * Reading an inbox so that nothing is lost and nothing is read by two.
 *
 * Each message is moved into a folder of this reader's own, which only one reader can do; then all are handed
 * over; and only when the caller says that they have arrived (`settle`) are they removed. A reader that dies in
 * between leaves them in its folder. Whoever reads next finds the owner dead, takes them over and marks them.
 */
import { lstatSync, mkdirSync, readdirSync, rmdirSync, unlinkSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { Role } from "../army/roles.ts";
import { moveFile, syncFolder } from "../system/durable-files.ts";
import { hasErrorCode } from "../system/file-error.ts";
import { isProcessAlive } from "../system/process-identity.ts";
import { record } from "./journal.ts";
import { removeLeftovers } from "./leftovers.ts";
import { LIMITS } from "./limits.ts";
import { isMessageId } from "./message-id.ts";
import { parseMessage, type ReceivedMessage } from "./message.ts";
import { requireOwnFolders } from "./own-folders.ts";
import { isMessageFileName, messageFileName, messageIdOf } from "./paths.ts";
import { lowerFlag } from "./pending-flag.ts";
import { quarantine } from "./quarantine.ts";
import { readPlainFile } from "../system/read-plain-file.ts";
import { access, type Store } from "./store.ts";

export interface Claim {
  /** Oldest first, as many as an answer surely holds. */
  messages: ReceivedMessage[];
  /** How many more wait for the next claim. */
  remaining: number;
  /** To be called when they are on their way to the reader: from then on the journal has them as read. */
  handOver: () => void;
  /** To be called once the messages have arrived; until then they come back with the next claim. */
  settle: () => void;
  /**
   * To be called when the reader says that it has thrown them away after they were written out to it: they come back,
   * marked. A client may say so of everything it was given, so what it has thrown away before is settled.
   */
  giveBack: () => void;
}

/** The files this reader holds: name → whether an earlier claim held it already, and its name in the inbox. */
type Held = Map<string, { redelivered: boolean; was?: string }>;

export function claimInbox(store: Store, role: Role): Claim {
  const { paths } = store;
  const through = [paths.inbox(role), paths.claims(role), paths.tmp, paths.flags, paths.quarantine];
  return access(store, through, () => {
    // First of all, so that mail which arrives from here on rings again.
    tolerate(store, role, store.paths.pending(role), () => lowerFlag(store, role));
    removeLeftovers(store);
    const mine = join(store.paths.claims(role), store.owner);
    const held: Held = new Map(listHeld(mine).map((name) => [name, { redelivered: true }]));
    takeOverFromTheDead(store, role, mine, held);
    const waiting = takeFromInbox(store, role, mine, held);
    store.onStep?.("claimed");
    const { messages, left } = readHeld(store, role, mine, held);
    store.onStep?.("parsed");
    const handOver = onlyOnce(() => recordReading(store, role, [...messages.values()]));
    return {
      messages: [...messages.values()],
      remaining: waiting + left,
      handOver,
      settle() {
        handOver();
        settle(store, mine, messages);
      },
      giveBack() {
        const before = [...messages].filter(([, { id }]) => store.thrownAway.has(id));
        for (const { id } of messages.values()) store.thrownAway.add(id);
        if (before.length > 0) settle(store, mine, new Map(before));
      },
    };
  });
}

function takeOverFromTheDead(store: Store, role: Role, mine: string, held: Held): void {
  const claims = store.paths.claims(role);
  for (const entry of readdirSync(claims, { withFileTypes: true })) {
    if (entry.name === store.owner || !entry.isDirectory() || isProcessAlive(entry.name)) continue;
    const theirs = join(claims, entry.name);
    tolerate(store, role, theirs, () => {
      take(store, theirs, listHeld(theirs), mine, held, { redelivered: true });
      removeIfEmpty(theirs);
    });
  }
}

/** Takes what fits beside what is held already, and returns how many it left. */
function takeFromInbox(store: Store, role: Role, mine: string, held: Held): number {
  const inbox = store.paths.inbox(role);
  const waiting = readdirSync(inbox).filter(isMessageFileName).toSorted();
  store.onStep?.("listed");
  const room = roomForAnswer();
  for (const name of held.keys()) room.take(name, sizeOf(join(mine, name)));
  const fitting = waiting.filter((name) => room.take(name, sizeOf(join(inbox, name))));
  take(store, inbox, fitting, mine, held, { redelivered: false });
  return waiting.length - fitting.length;
}

/** One message always fits; after the first that does not, none does, so that all keep their order. */
function roomForAnswer(): { take(name: string, bytes: number): boolean } {
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

/** What an answer says of a message beyond what its file does. */
const FIELD_NAMES = '"id":,"redelivered":true,'.length;

/** What is too large for a message is none, and takes no room in an answer. */
function sizeOf(path: string): number {
  const bytes = lstatSync(path, { throwIfNoEntry: false })?.size ?? 0;
  return bytes > LIMITS.messageFileBytes ? 0 : bytes;
}

function take(
  store: Store,
  from: string,
  names: string[],
  mine: string,
  held: Held,
  mark: { redelivered: boolean },
): void {
  if (names.length === 0) return;
  if (mkdirSync(mine, { recursive: true, mode: 0o700 }) !== undefined) syncFolder(dirname(mine));
  requireOwnFolders(store.paths.root, [mine]);
  let refusal: Error | undefined;
  for (const name of names) {
    // A name that somebody else gave it may meet another, and must not become an id that a model reads.
    const isUsable = isMessageId(messageIdOf(name)) && !held.has(name);
    const own = isUsable ? name : messageFileName(store.nextId());
    try {
      if (moveFile(join(from, name), join(mine, own))) held.set(own, { ...mark, was: name });
      store.onStep?.("moved");
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      refusal ??= error;
    }
  }
  // One stubborn entry must not keep the rest back; but if nothing moves, the reader has to hear why.
  if (held.size === 0 && refusal !== undefined) throw refusal;
  syncFolder(mine);
}

function readHeld(
  store: Store,
  role: Role,
  mine: string,
  held: Held,
): { messages: Map<string, ReceivedMessage>; left: number } {
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
    // What cannot be read just now stays held, and comes back with the next reading.
    if ("missing" in file || "unreadable" in file) continue;
    const message = "text" in file ? parseMessage(messageIdOf(name), role, file.text) : file;
    const { redelivered = false, was = name } = held.get(name) ?? {};
    if ("broken" in message) {
      const why = message.broken;
      tolerate(store, role, path, () => quarantine(store, path, { role, why, file: was }));
    } else messages.set(name, { ...message, redelivered });
  }
  return { messages, left };
}

function recordReading(store: Store, role: Role, messages: ReceivedMessage[]): void {
  record(
    store,
    messages.map(({ id, redelivered }) => ({ event: "read", id, role, ...(redelivered && { redelivered }) })),
  );
}

function onlyOnce(action: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) action();
    isDone = true;
  };
}

function settle(store: Store, mine: string, messages: Map<string, ReceivedMessage>): void {
  store.onStep?.("settling");
  for (const name of messages.keys()) {
    try {
      unlinkSync(join(mine, name));
    } catch {
      // Left behind, it comes back marked: twice is better than never.
    }
    store.onStep?.("removed");
  }
  for (const { id } of messages.values()) store.thrownAway.delete(id);
  removeIfEmpty(mine);
  store.onStep?.("settled");
}

/** One bad entry must not keep the rest of the mail back: it stays where it is, and the journal says so, once. */
function tolerate(store: Store, role: Role, path: string, action: () => void): void {
  try {
    action();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if (store.skipped.has(path)) return;
    store.skipped.add(path);
    record(store, [{ event: "skipped", role, file: relative(store.paths.root, path), why: error.message }]);
  }
}

/** A reader's folder is there only while it holds something. */
function listHeld(folder: string): string[] {
  try {
    return readdirSync(folder).filter(isMessageFileName);
  } catch (error) {
    if (hasErrorCode(error, "ENOENT")) return [];
    throw error;
  }
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Not empty, or gone already.
  }
}
