/**
 * A role's inbox: messages are put into it, and whoever looks at it without taking anything sees what waits there and
 * with readers that have not settled it. Once `deliver` returns, no crash can lose the message.
 *
 * To know whether there is room means listing the whole inbox, which takes as long as storing a message once a
 * thousand wait. So a sender counts again only after it has used up a share of the room it found, or after a second:
 * the fuller the inbox, the more often, and near the limit every time. Senders that write at the same time may
 * together exceed the limit by a few messages.
 */
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod/mini";
import { SENDERS, type Recipient, type Role } from "../../army/roles.ts";
import { WAYS } from "../../army/words.ts";
import { lazily } from "../../system/async.ts";
import { publishNewFile } from "../../system/durable-files.ts";
import { OvldError } from "../../system/ovld-error.ts";
import { isProcessAlive } from "../../system/process.ts";
import { readPlainFile, type PlainFile } from "../../system/read-file.ts";
import { examineRecord } from "../../system/record.ts";
import { writeJournal } from "../journal/journal.ts";
import type { StoredEntry } from "../journal/read-journal.ts";
import { cacheFolder } from "./cache-unchanged.ts";
import { checkDraft, formatMessage, isMessageId, LIMITS, parseHeader, parseMessage } from "./message.ts";
import type { Header, Message, MessageDraft, ReceivedMessage } from "./message.ts";
import { isMessageFileName, messageFileName, messageIdOf } from "./paths.ts";
import { access, asideFor, makeFile, saveRecord, type Store } from "./store.ts";

export interface InboxCount {
  at: number;
  newest: string;
  /** How many more messages may be stored before the next count. */
  uncounted: number;
}

/** An army has six agents that write, and the person. */
const WRITERS = 8;
const MOST_UNCOUNTED = 16;
const COUNT_AGAIN_MS = 1_000;

export function deliver(store: Store, draft: MessageDraft): Message {
  const checked = checkDraft(draft, store.limits);
  return access(store, () => publish(store, checked, requireRoom(store, draft)));
}

function publish(store: Store, draft: MessageDraft, newest: string): Message {
  const timestamp = new Date(store.now()).toISOString();
  const message: Message = { id: store.nextId(newest), ...draft, timestamp };
  const isNew = putInPlace(store, message, { early: true, noted: { by: store.origin } });
  return isNew ? message : publish(store, draft, message.id);
}

/** `noted` is what the journal says besides the message itself. False if the id is taken. */
function putInPlace(
  store: Store,
  message: Message,
  { early, noted }: { early: boolean; noted: Pick<StoredEntry, "by" | "machine"> },
): boolean {
  const { redelivered: _mark, ...content } = message;
  const isNew = publishNewFile({
    aside: asideFor(store, message.id),
    target: join(store.paths.inbox(message.to), messageFileName(message.id)),
    content: formatMessage(message),
    early,
    whenDurable: () => writeJournal(store, { event: "stored", ...content, ...noted }),
    onStep: store.onStep,
  });
  if (isNew) store.onStored?.(message);
  return isNew;
}

/**
 * Throws if there is no room; returns the newest id it knows of, so that the next id sorts after it. Of the person's
 * inbox one sender gets no more than half of what the others leave: so one who writes without end shuts nobody out. What
 * ovld itself has to say is always stored.
 */
function requireRoom(store: Store, { from, to: role }: MessageDraft): string {
  const last = store.counts.get(role);
  const age = store.now() - (last?.at ?? NaN);
  // If the clock was set back, the newest id is needed, so a negative age means counting again.
  if (last && last.uncounted > 0 && age >= 0 && age < COUNT_AGAIN_MS) {
    last.uncounted -= 1;
    return last.newest;
  }
  const waiting = waitingIn(store, role);
  store.onStep?.("counted");
  const limit = store.limits.unreadPerInbox;
  const known = role === "human" ? readHeaders(store, role, waiting, Infinity) : [];
  const own = known.filter((each) => each.from === from).length;
  const room = limit - waiting.length - own;
  if (room <= 0 && from !== "ovld") {
    store.counts.delete(role);
    const facts = waiting.length < limit ? { role, limit: own, from } : { role, limit };
    throw new OvldError({ code: "inbox-full", facts });
  }
  // Even after the clock was set back, a new message must sort after those that wait.
  const newest = waiting.reduce((one, other) => (one > other ? one : other), "");
  const uncounted = Math.min(MOST_UNCOUNTED, Math.floor(room / WRITERS));
  store.counts.set(role, { at: store.now(), newest, uncounted });
  return newest;
}

/** How many more messages fit into an inbox, counted anew each time. */
export function roomIn(store: Store, role: Recipient): number {
  return Math.max(0, store.limits.unreadPerInbox - waitingIn(store, role).length);
}

function waitingIn(store: Store, role: Recipient): string[] {
  return readdirSync(store.paths.inbox(role)).filter(isMessageFileName).map(messageIdOf);
}

export interface CarriedMessage extends ReceivedMessage {
  /** The machine it was sent from, if it says so. */
  machine?: string | undefined;
}

/**
 * Puts a message from another machine into the inbox, under the id that the hub gave it. From here on it is mail like
 * any other. False if it is already there or with a reader: the hub may hand it out again.
 */
export function takeIn(store: Store, { machine = "", ...message }: CarriedMessage): boolean {
  if (!isMessageId(message.id)) throw new Error(`not an id: ${message.id}`);
  const claims = store.paths.claims(message.to);
  return access(store, () => {
    const isHeld = readdirSync(claims).some((reader) =>
      existsSync(join(claims, reader, messageFileName(message.id))),
    );
    return !isHeld && putInPlace(store, message, { early: false, noted: { machine } });
  });
}

/** How long one call may read files, because the rest of the process has to wait. */
const READING_MS = 8;

/** How many messages wait, including those that a reader has taken and not settled. */
export function countUnread(store: Store, role: Recipient): number {
  return foldersOf(store, role).reduce((sum, folder) => sum + idsIn(folder).length, 0);
}

/** The messages in the inbox, held by a dead reader and, on request, handed out by this process or by any; oldest first. */
export function listUnread(
  store: Store,
  role: Recipient,
  { handedOut }: { handedOut: boolean | "by any" },
): string[] {
  const unread = readersOf(store, role).filter(
    ({ name }) => handedOut === "by any" || (name === store.owner ? handedOut : !isProcessAlive(name)),
  );
  const lists = [store.paths.inbox(role), ...unread.map(({ folder }) => folder)]
    .map(idsIn)
    .filter((ids) => ids.length > 0);
  return lists.length === 1 ? (lists[0] ?? []) : oldestFirst(lists.flat());
}

/**
 * What is known about these messages without their bodies. Each file is read once, and one call reads only for so long,
 * so if many are new, not all are known yet. A message that is missing or unreadable right now is read again next time.
 */
export function readHeaders(
  store: Store,
  role: Recipient,
  ids: readonly string[],
  withinMs = READING_MS,
): Header[] {
  const { headers } = store;
  if (headers.size > 2 * ids.length + LIMITS.unreadPerInbox) headers.clear();
  const until = performance.now() + withinMs;
  const [oldest, ...others] = ids;
  const folders = foldersOf(store, role);
  // After the oldest, the newest come first: they are why this look happens.
  for (const id of oldest === undefined ? [] : [oldest, ...others.toReversed()]) {
    if (headers.has(id)) continue;
    if (id !== oldest && performance.now() > until) break;
    const file = findFile(folders, id);
    if (file !== undefined) headers.set(id, "text" in file ? parseHeader(id, file.text) : undefined);
  }
  return ids.flatMap((id) => headers.get(id) ?? []);
}

/** Reads a message without taking it, wherever it is; undefined if it is gone or not a message. */
export function peekAt(store: Store, role: Recipient, id: string): Message | undefined {
  const file = findFile(foldersOf(store, role), id);
  if (file === undefined || !("text" in file)) return undefined;
  const message = parseMessage(id, role, file.text);
  return "broken" in message ? undefined : message;
}

const namesIn = cacheFolder((folder) => readdirSync(folder));
const idsIn = cacheFolder((folder) =>
  oldestFirst(readdirSync(folder).filter(isMessageFileName).map(messageIdOf)),
);

function readersOf(store: Store, role: Recipient): { name: string; folder: string }[] {
  const claims = store.paths.claims(role);
  return namesIn(claims).map((name) => ({ name, folder: join(claims, name) }));
}

function foldersOf(store: Store, role: Recipient): string[] {
  return [store.paths.inbox(role), ...readersOf(store, role).map(({ folder }) => folder)];
}

function findFile(folders: readonly string[], id: string): PlainFile | undefined {
  for (const folder of folders) {
    const file = readPlainFile(join(folder, messageFileName(id)), LIMITS.messageFileBytes);
    if (!("missing" in file || "unreadable" in file)) return file;
  }
  return undefined;
}

function oldestFirst(unsorted: readonly string[]): string[] {
  const ids = unsorted.toSorted();
  const foreign = ids.filter((id) => !isMessageId(id));
  // Foreign names do not sort by time, and the last id in the list must be that of the newest message.
  return foreign.length === 0 ? ids : [...foreign, ...ids.filter(isMessageId)];
}

/** The pending flag: while it is up, its role has been rung, and more mail does not ring again. */
const flagFile = lazily(() =>
  z.object({
    at: z.iso.datetime(),
    /** Which sender rang. */
    by: z.enum(SENDERS),
    /** The process that rang; once it is dead, the flag no longer counts. */
    ringer: z.string(),
    way: z.enum(WAYS),
  }),
);

export type Flag = z.infer<ReturnType<typeof flagFile>>;

export type FlagNote = Omit<Flag, "at">;

/** True for exactly one of the processes that try at the same time. */
export function raiseFlag(store: Store, role: Role, note: FlagNote): boolean {
  return access(store, () => makeFile(store, store.paths.pending(role), flagNow(store, note)));
}

/** Records who rang again, and how. */
export function renewFlag(store: Store, role: Role, note: FlagNote): void {
  saveRecord(store, store.paths.pending(role), flagNow(store, note));
}

/** Undefined if the flag is down; an unreadable flag does not count. */
export function readFlag(store: Store, role: Role): Flag | "unreadable" | undefined {
  const file = examineRecord(store.paths.pending(role), flagFile());
  if ("missing" in file) return undefined;
  return "content" in file ? file.content : "unreadable";
}

export function lowerFlag(store: Store, role: Recipient): void {
  rmSync(store.paths.pending(role), { force: true });
}

function flagNow(store: Store, note: FlagNote): Flag {
  return { at: new Date(store.now()).toISOString(), ...note };
}
