/** The mail that waits: in the inbox, and with readers that have not settled it. Changes nothing in the store. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Role } from "../../army/roles.ts";
import { cacheByFolder } from "./cache-unchanged.ts";
import { isProcessAlive } from "../../system/process.ts";
import { LIMITS, parseHeader, parseMessage, type Header, type Message } from "./message.ts";
import { isMessageId } from "./message-id.ts";
import { isMessageFileName, messageFileName, messageIdOf } from "./paths.ts";
import { readPlainFile, type PlainFile } from "../../system/read-file.ts";
import type { Store } from "./store.ts";

export interface Unread {
  /** How many messages wait, including those with a living reader. */
  count(role: Role): number;
  /** Unread messages: in the inbox, held by a dead reader and, on request, handed out by this process. */
  list(role: Role, options: { handedOut: boolean }): string[];
  /**
   * What is known about these messages without their bodies. Each file is read once, and one call reads only so many.
   */
  headers(role: Role, ids: readonly string[]): Header[];
  /** A message that is not settled, wherever it is; undefined if it is gone or not a message. */
  peek(role: Role, id: string): Message | undefined;
}

/** How long one call may read files, because the rest of the process has to wait. */
const READING_MS = 8;

export function lookAtUnread(store: Store): Unread {
  const namesIn = cacheByFolder((folder) => readdirSync(folder), []);
  const idsIn = cacheByFolder(idsOf, []);
  const known = new Map<string, Header | undefined>();

  function readersOf(role: Role): { name: string; folder: string }[] {
    const claims = store.paths.claims(role);
    return namesIn(claims).map((name) => ({ name, folder: join(claims, name) }));
  }

  function foldersOf(role: Role): string[] {
    return [store.paths.inbox(role), ...readersOf(role).map(({ folder }) => folder)];
  }

  /** A message that is missing or unreadable right now is read again next time; one that is not a plain file is not. */
  function learn(folders: readonly string[], id: string): void {
    const file = findFile(folders, id);
    if (file !== undefined) known.set(id, "text" in file ? parseHeader(id, file.text) : undefined);
  }

  return {
    count: (role) => foldersOf(role).reduce((sum, folder) => sum + idsIn(folder).length, 0),
    list(role, { handedOut }) {
      const unread = readersOf(role).filter(({ name }) =>
        name === store.owner ? handedOut : !isProcessAlive(name),
      );
      const lists = [store.paths.inbox(role), ...unread.map(({ folder }) => folder)]
        .map(idsIn)
        .filter((ids) => ids.length > 0);
      return lists.length === 1 ? (lists[0] ?? []) : oldestFirst(lists.flat());
    },
    headers(role, ids) {
      if (known.size > 2 * ids.length + LIMITS.unreadPerInbox) forgetAllBut(known, ids);
      const until = performance.now() + READING_MS;
      const [oldest, ...others] = ids;
      const folders = foldersOf(role);
      // After the oldest, the newest come first: they are why this look happens.
      for (const id of oldest === undefined ? [] : [oldest, ...others.toReversed()]) {
        if (known.has(id)) continue;
        if (id !== oldest && performance.now() > until) break;
        learn(folders, id);
      }
      return ids.flatMap((id) => known.get(id) ?? []);
    },
    peek(role, id) {
      const file = findFile(foldersOf(role), id);
      if (file === undefined || !("text" in file)) return undefined;
      const message = parseMessage(id, role, file.text);
      return "broken" in message ? undefined : message;
    },
  };
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

function idsOf(folder: string): string[] {
  return oldestFirst(readdirSync(folder).filter(isMessageFileName).map(messageIdOf));
}

function oldestFirst(unsorted: readonly string[]): string[] {
  const ids = unsorted.toSorted();
  const foreign = ids.filter((id) => !isMessageId(id));
  // Foreign names do not sort by time, and the last id in the list must be that of the newest message.
  return foreign.length === 0 ? ids : [...foreign, ...ids.filter(isMessageId)];
}
