/** What mail waits: in the inbox, and in the hands of readers that are not done with it. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Role } from "../army/roles.ts";
import { LIMITS } from "./limits.ts";
import { parseMessage, type Message } from "./message.ts";
import { isMessageFileName, messageFileName, messageIdOf } from "./paths.ts";
import { readPlainFile } from "./read-plain-file.ts";
import { isProcessAlive } from "../system/process-identity.ts";
import type { Store } from "./store.ts";

/** Looks without touching, also where there is no store. */
export function countUnread(store: Store, role: Role): number {
  const { paths } = store;
  return countMessages(paths.inbox(role)) + countMessages(paths.claims(role));
}

/** What nobody has read: in the inbox, held by a reader that died, and, if asked, handed out by this process. */
export function listUnread(store: Store, role: Role, { handedOut }: { handedOut: boolean }): string[] {
  const claims = store.paths.claims(role);
  const readers = namesIn(claims).filter((reader) =>
    reader === store.owner ? handedOut : !isProcessAlive(reader),
  );
  const folders = [store.paths.inbox(role), ...readers.map((reader) => join(claims, reader))];
  const names = folders.flatMap(namesIn).filter(isMessageFileName);
  return names.toSorted().map(messageIdOf);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** A message that nobody is done with, wherever it lies; undefined if it is there no more, or is none. */
export function peek(store: Store, role: Role, id: string): Message | undefined {
  const claims = store.paths.claims(role);
  const folders = [store.paths.inbox(role), ...namesIn(claims).map((reader) => join(claims, reader))];
  for (const folder of folders) {
    const file = readPlainFile(join(folder, messageFileName(id)), LIMITS.messageFileBytes);
    const message = "text" in file ? parseMessage(id, role, file.text) : { broken: "missing" };
    if (!("broken" in message)) return message;
  }
  return undefined;
}

function countMessages(folder: string): number {
  try {
    const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
    return names.filter((name) => isMessageFileName(name.slice(name.lastIndexOf("/") + 1))).length;
  } catch {
    return 0;
  }
}
