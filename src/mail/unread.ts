/** What mail waits: in the inbox, and in the hands of readers that are not done with it. Looks without touching. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Role } from "../army/roles.ts";
import { cacheByFolder } from "./cache-by-folder.ts";
import { isProcessAlive } from "../system/process-identity.ts";
import { LIMITS } from "./limits.ts";
import { isMessageId } from "./message-id.ts";
import { parseHeader, parseMessage, type Header, type Message } from "./message.ts";
import { isMessageFileName, messageFileName, messageIdOf } from "./paths.ts";
import { readPlainFile } from "../system/read-plain-file.ts";
import type { Store } from "./store.ts";

export interface Unread {
  /** How many messages wait, those in the hands of a living reader included. */
  count(role: Role): number;
  /** What nobody has read: in the inbox, held by a reader that died, and, if asked, handed out by this process. */
  list(role: Role, options: { handedOut: boolean }): string[];
  /** What is known of these messages without their bodies. Each is read once, and not too many at a time. */
  headers(role: Role, ids: readonly string[]): Header[];
  /** A message that nobody is done with, wherever it lies; undefined if it is there no more, or is none. */
  peek(role: Role, id: string): Message | undefined;
}

/** How long one look may read: whatever else the process has to do waits meanwhile. */
const READING_MS = 8;

export function lookAtUnread(store: Store): Unread {
  const namesIn = cacheByFolder(namesOf, []);
  const idsIn = cacheByFolder(idsOf, []);
  const known = new Map<string, Header | undefined>();

  function readersOf(role: Role): { name: string; folder: string }[] {
    const claims = store.paths.claims(role);
    return namesIn(claims).map((name) => ({ name, folder: join(claims, name) }));
  }

  function foldersOf(role: Role): string[] {
    return [store.paths.inbox(role), ...readersOf(role).map(({ folder }) => folder)];
  }

  function readHeader(role: Role, id: string): Header | undefined {
    const text = textOf(foldersOf(role), id);
    return text === undefined ? undefined : parseHeader(id, text);
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
      // The newest first: it is what this look is about.
      for (const id of oldest === undefined ? [] : [oldest, ...others.toReversed()]) {
        if (known.has(id)) continue;
        if (id !== oldest && performance.now() > until) break;
        known.set(id, readHeader(role, id));
      }
      return ids.flatMap((id) => known.get(id) ?? []);
    },
    peek(role, id) {
      const text = textOf(foldersOf(role), id);
      const message = text === undefined ? undefined : parseMessage(id, role, text, store.sealing?.secret);
      return message === undefined || "broken" in message ? undefined : message;
    },
  };
}

function textOf(folders: readonly string[], id: string): string | undefined {
  for (const folder of folders) {
    const file = readPlainFile(join(folder, messageFileName(id)), LIMITS.messageFileBytes);
    if ("text" in file) return file.text;
  }
  return undefined;
}

function forgetAllBut(known: Map<string, unknown>, ids: readonly string[]): void {
  const wanted = new Set(ids);
  for (const id of known.keys()) if (!wanted.has(id)) known.delete(id);
}

function idsOf(folder: string): string[] {
  return oldestFirst(namesOf(folder).filter(isMessageFileName).map(messageIdOf));
}

function oldestFirst(unsorted: readonly string[]): string[] {
  const ids = unsorted.toSorted();
  const foreign = ids.filter((id) => !isMessageId(id));
  // Names that are not the store's own say nothing of time: the last in the list must be the newest message.
  return foreign.length === 0 ? ids : [...foreign, ...ids.filter(isMessageId)];
}

function namesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
