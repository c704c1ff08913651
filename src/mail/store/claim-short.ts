/**
 * Claims short mail for a bell to carry.
 *
 * It is held like all mail that was handed out: it is removed only when it has arrived (`settle`), and until then the
 * next claim returns it, marked. The flag stays up, because the agent has only been rung.
 */
import { join } from "node:path";
import type { Role } from "../../army/roles.ts";
import { readPlainFile } from "../../system/read-file.ts";
import { removeLeftovers } from "./claim.ts";
import { readHeld, recordReading, settle, take, type Held } from "./held-mail.ts";
import { isMessageId } from "./message-id.ts";
import type { ReceivedMessage } from "./message.ts";
import { messageFileName } from "./paths.ts";
import { access, type Store } from "./store.ts";

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

/** Claims nothing and returns undefined unless every message waits in the inbox and together they are short enough. */
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
    store.onStep?.("claimed");
    const { messages } = readHeld(store, role, mine, held);
    store.onStep?.("parsed");
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
