/**
 * Puts a message into its recipient's inbox; once this returns, no crash can lose the message.
 *
 * To know whether there is room means listing the whole inbox, which takes as long as storing a message once a
 * thousand wait. So a sender counts again only after it has used up a share of the room it found, or after a second:
 * the fuller the inbox, the more often, and near the limit every time. Senders that write at the same time may
 * together exceed the limit by a few messages.
 */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Role } from "../../army/roles.ts";
import { publishNewFile } from "../../system/durable-files.ts";
import { OvldError } from "../../system/ovld-error.ts";
import { writeJournal } from "../journal/journal.ts";
import {
  checkDraft,
  formatMessage,
  type Message,
  type MessageDraft,
  type ReceivedMessage,
  isMessageId,
} from "./message.ts";
import { isMessageFileName, messageFileName, messageIdOf } from "./paths.ts";
import { access, asideFor, type Store } from "./store.ts";

export interface InboxCount {
  at: number;
  newest: string | undefined;
  /** How many more messages may be stored before the next count. */
  uncounted: number;
}

/** An army has six agents that write, and the person. */
const WRITERS = 8;
const MOST_UNCOUNTED = 16;
const COUNT_AGAIN_MS = 1_000;

export function deliver(store: Store, draft: MessageDraft): Message {
  const checked = checkDraft(draft, store.limits);
  return access(store, () => publish(store, checked, requireRoom(store, draft.to)));
}

function publish(store: Store, draft: MessageDraft, newest: string | undefined): Message {
  const message: Message = {
    id: store.nextId(newest),
    ...draft,
    timestamp: new Date(store.now()).toISOString(),
  };
  const published = publishNewFile({
    aside: asideFor(store, message.id),
    target: join(store.paths.inbox(draft.to), messageFileName(message.id)),
    content: formatMessage(message),
    early: true,
    whenDurable: () => writeJournal(store, [{ event: "stored", ...message, by: store.origin }]),
    onStep: store.onStep,
  });
  return published ? message : publish(store, draft, message.id);
}

/** Throws if there is no room; returns the newest id it knows of, so that the next id sorts after it. */
function requireRoom(store: Store, role: Role): string | undefined {
  const known = store.counts.get(role);
  const age = known === undefined ? NaN : store.now() - known.at;
  // If the clock was set back, the newest id is needed, so a negative age means counting again.
  if (known !== undefined && known.uncounted > 0 && age >= 0 && age < COUNT_AGAIN_MS) {
    known.uncounted -= 1;
    return known.newest;
  }
  const waiting = waitingIn(store, role);
  store.onStep?.("counted");
  const limit = store.limits.unreadPerInbox;
  const room = limit - waiting.length;
  if (room <= 0) {
    store.counts.delete(role);
    throw new OvldError({ code: "inbox-full", facts: { role, limit } });
  }
  // Even after the clock was set back, a new message must sort after those that wait.
  const newest = waiting.reduce<string | undefined>(
    (one, other) => (one && one > other ? one : other),
    undefined,
  );
  const uncounted = Math.min(MOST_UNCOUNTED, Math.floor(room / WRITERS));
  store.counts.set(role, { at: store.now(), newest, uncounted });
  return newest;
}

/** How many more messages fit into an inbox, counted anew each time. */
export function roomIn(store: Store, role: Role): number {
  return Math.max(0, store.limits.unreadPerInbox - waitingIn(store, role).length);
}

function waitingIn(store: Store, role: Role): string[] {
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
  const { redelivered: _mark, ...content } = message;
  const { to } = message;
  if (!isMessageId(message.id)) throw new Error(`not an id: ${message.id}`);
  const name = messageFileName(message.id);
  const claims = store.paths.claims(to);
  return access(store, () => {
    if (readdirSync(claims).some((reader) => existsSync(join(claims, reader, name)))) return false;
    return publishNewFile({
      aside: asideFor(store, message.id),
      target: join(store.paths.inbox(to), name),
      content: formatMessage(message),
      whenDurable: () => writeJournal(store, [{ event: "stored", ...content, machine }]),
      onStep: store.onStep,
    });
  });
}
