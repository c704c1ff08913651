/**
 * Reads an inbox so that no message is lost and no two readers get the same one.
 *
 * Each message is moved into this reader's own folder, which only one reader can do. Then all are handed over, and
 * they are removed only when the caller reports that they have arrived (`settle`). If a reader dies in between, they
 * stay in its folder; the next reader sees that the owner is dead, takes them over and marks them.
 */
import { lstatSync, readdirSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import type { Role } from "../../army/roles.ts";
import { isProcessAlive } from "../../system/process.ts";
import { readPlainFile } from "../../system/read-file.ts";
import { writeJournal } from "../journal/journal.ts";
import { findStored } from "../journal/read-journal.ts";
import {
  listHeld,
  readHeld,
  recordReading,
  removeIfEmpty,
  roomForAnswer,
  settle,
  sizeOf,
  take,
  tolerate,
  type Held,
} from "./held-mail.ts";
import { LIMITS, parseMessage, type ReceivedMessage, isMessageId } from "./message.ts";
import { isMessageFileName, messageFileName, parseAsideName } from "./paths.ts";
import { lowerFlag } from "./pending-flag.ts";
import { access, type Store } from "./store.ts";

/** Takes all unread mail of a role and lowers its flag. */
export function claimInbox(store: Store, role: Role) {
  return access(store, () => {
    // The flag goes down first, so that mail which arrives from now on rings again.
    tolerate(store, role, store.paths.pending(role), () => lowerFlag(store, role));
    removeLeftovers(store, role);
    const mine = join(store.paths.claims(role), store.owner);
    const held: Held = new Map(listHeld(mine).map((name) => [name, { redelivered: true }]));
    takeOverFromTheDead(store, role, mine, held);
    const waiting = takeFromInbox(store, role, mine, held);
    const { messages, left } = readHeld(store, role, mine, held);
    let isRecorded = false;
    const handOver = (): void => {
      if (!isRecorded) recordReading(store, role, [...messages.values()]);
      isRecorded = true;
    };
    return {
      /** Oldest first; as many as fit into one answer. */
      messages: [...messages.values()],
      /** How many more messages wait for the next claim. */
      remaining: waiting + left,
      /** Call this when the messages are on their way to the reader: the journal then records them as read. */
      handOver,
      /** Call this once the messages have arrived; until then the next claim returns them again. */
      settle: (): void => {
        handOver();
        settle(store, mine, messages);
      },
      /**
       * Call this when the reader says that it discarded the messages after they were written out to it: the next
       * claim returns them, marked. Some clients say this of every answer, so a message that is discarded a second
       * time is settled.
       */
      giveBack: (): void => {
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
      take(store, { from: theirs, names: listHeld(theirs), mine, held, redelivered: true });
      removeIfEmpty(theirs);
    });
  }
}

/** Takes what fits next to the messages already held, and returns how many are left. */
function takeFromInbox(store: Store, role: Role, mine: string, held: Held): number {
  const inbox = store.paths.inbox(role);
  const waiting = readdirSync(inbox).filter(isMessageFileName).toSorted();
  store.onStep?.("listed");
  const room = roomForAnswer();
  for (const name of held.keys()) room.take(name, sizeOf(join(mine, name)));
  const fitting = waiting.filter((name) => room.take(name, sizeOf(join(inbox, name))));
  take(store, { from: inbox, names: fitting, mine, held, redelivered: false });
  return waiting.length - fitting.length;
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
  role: Role,
  ids: readonly string[],
  limit: ShortLimit,
): ShortMail | undefined {
  const { paths } = store;
  const inbox = paths.inbox(role);
  const names = ids.map(messageFileName);
  if (!ids.every(isMessageId) || !areShort(inbox, names, limit)) return undefined;
  return access(store, () => {
    removeLeftovers(store, role);
    const mine = join(paths.claims(role), store.owner);
    const held: Held = new Map();
    take(store, { from: inbox, names, mine, held, redelivered: false });
    const { messages } = readHeld(store, role, mine, held);
    return messages.size === 0 ? undefined : hold(store, role, mine, messages);
  });
}

function hold(store: Store, role: Role, mine: string, held: Map<string, ReceivedMessage>): ShortMail {
  const messages = [...held.values()];
  return {
    messages,
    settle() {
      recordReading(store, role, messages);
      settle(store, mine, held);
    },
    again() {
      const marked = [...held].map(([name, message]) => [name, { ...message, redelivered: true }] as const);
      return hold(store, role, mine, new Map(marked));
    },
  };
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

/**
 * Removes files that killed writers left under `tmp/`, and only files whose names the store itself makes. A writer
 * records a message before it removes that file. So if such a message is in place, its reader records it instead; for
 * other readers the file stays.
 */
function removeLeftovers(store: Store, role: Role): void {
  for (const name of readdirSync(store.paths.tmp)) {
    const { owner, id } = parseAsideName(name) ?? {};
    if (owner === undefined || id === undefined || isProcessAlive(owner)) continue;
    const path = join(store.paths.tmp, name);
    try {
      const isInPlace = lstatSync(path).nlink > 1;
      if (!isInPlace || recordForTheDead(store, role, id, path)) unlinkSync(path);
    } catch {
      // Another process removed it first.
    }
  }
}

/** False if it is not mail for this role. */
function recordForTheDead(store: Store, role: Role, id: string, path: string): boolean {
  const file = readPlainFile(path, LIMITS.messageFileBytes);
  if (!("text" in file)) return false;
  const message = parseMessage(id, role, file.text);
  if ("broken" in message) return false;
  if (findStored(store, id) === undefined) {
    const { redelivered: _mark, ...stored } = message;
    writeJournal(store, [{ event: "stored", ...stored }]);
  }
  return true;
}
