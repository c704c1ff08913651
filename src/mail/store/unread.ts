/** The mail that waits: in the inbox, and with readers that have not settled it. Changes nothing in the store. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Role } from "../../army/roles.ts";
import { isProcessAlive } from "../../system/process.ts";
import { readPlainFile, type PlainFile } from "../../system/read-file.ts";
import { cacheFolder } from "./cache-unchanged.ts";
import { LIMITS, parseHeader, parseMessage, type Header, type Message, isMessageId } from "./message.ts";
import { isMessageFileName, messageFileName, messageIdOf } from "./paths.ts";
import type { Store } from "./store.ts";

/** How long one call may read files, because the rest of the process has to wait. */
const READING_MS = 8;

/** How many messages wait, including those that a reader has taken and not settled. */
export function countUnread(store: Store, role: Role): number {
  return foldersOf(store, role).reduce((sum, folder) => sum + idsIn(folder).length, 0);
}

/** The messages in the inbox, held by a dead reader and, on request, handed out by this process; oldest first. */
export function listUnread(store: Store, role: Role, { handedOut }: { handedOut: boolean }): string[] {
  const unread = readersOf(store, role).filter(({ name }) =>
    name === store.owner ? handedOut : !isProcessAlive(name),
  );
  const lists = [store.paths.inbox(role), ...unread.map(({ folder }) => folder)]
    .map(idsIn)
    .filter((ids) => ids.length > 0);
  return lists.length === 1 ? (lists[0] ?? []) : oldestFirst(lists.flat());
}

/**
 * What is known about these messages without their bodies. Each file is read once, and one call reads only so many, so
 * if many are new, not all are known yet. A message that is missing or unreadable right now is read again next time.
 */
export function readHeaders(store: Store, role: Role, ids: readonly string[]): Header[] {
  const { headers } = store;
  if (headers.size > 2 * ids.length + LIMITS.unreadPerInbox) forgetAllBut(headers, ids);
  const until = performance.now() + READING_MS;
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
export function peekAt(store: Store, role: Role, id: string): Message | undefined {
  const file = findFile(foldersOf(store, role), id);
  if (file === undefined || !("text" in file)) return undefined;
  const message = parseMessage(id, role, file.text);
  return "broken" in message ? undefined : message;
}

const namesIn = cacheFolder((folder) => readdirSync(folder));
const idsIn = cacheFolder((folder) =>
  oldestFirst(readdirSync(folder).filter(isMessageFileName).map(messageIdOf)),
);

function readersOf(store: Store, role: Role): { name: string; folder: string }[] {
  const claims = store.paths.claims(role);
  return namesIn(claims).map((name) => ({ name, folder: join(claims, name) }));
}

function foldersOf(store: Store, role: Role): string[] {
  return [store.paths.inbox(role), ...readersOf(store, role).map(({ folder }) => folder)];
}

function findFile(folders: readonly string[], id: string): PlainFile | undefined {
  for (const folder of folders) {
    const file = readPlainFile(join(folder, messageFileName(id)), LIMITS.messageFileBytes);
    if (!("missing" in file || "unreadable" in file)) return file;
  }
  return undefined;
}

function forgetAllBut(known: Map<string, unknown>, ids: readonly string[]): void {
  const wanted = new Set(ids);
  for (const id of known.keys()) if (!wanted.has(id)) known.delete(id);
}

function oldestFirst(unsorted: readonly string[]): string[] {
  const ids = unsorted.toSorted();
  const foreign = ids.filter((id) => !isMessageId(id));
  // Foreign names do not sort by time, and the last id in the list must be that of the newest message.
  return foreign.length === 0 ? ids : [...foreign, ...ids.filter(isMessageId)];
}
