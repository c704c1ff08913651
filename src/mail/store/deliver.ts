/** Puts a message into its recipient's inbox; once this returns, no crash can lose the message. */
import { join } from "node:path";
import { publishNewFile } from "../../system/durable-files.ts";
import { asideFor, access, type Store } from "./store.ts";
import { record } from "../journal/journal.ts";
import {
  checkDraft,
  printMessage,
  type MessageDraft,
  type Message,
  type ReceivedMessage,
} from "./message.ts";
import { messageFileName, isMessageFileName, messageIdOf } from "./paths.ts";
import { readdirSync, existsSync } from "node:fs";
import type { Role } from "../../army/roles.ts";
import { OvldError } from "../../system/ovld-error.ts";
import { isMessageId } from "./message-id.ts";

export function deliver(store: Store, draft: MessageDraft): Message {
  const checked = checkDraft(draft, store.limits);
  const inbox = store.paths.inbox(draft.to);
  return access(store, () => {
    const newest = requireRoom(store, draft.to);
    return publish(store, inbox, checked, newest);
  });
}

function publish(store: Store, inbox: string, draft: MessageDraft, newest: string | undefined): Message {
  const message: Message = {
    id: store.nextId(newest),
    ...draft,
    timestamp: new Date(store.now()).toISOString(),
  };
  const published = publishNewFile({
    aside: asideFor(store, message.id),
    target: join(inbox, messageFileName(message.id)),
    content: printMessage(message),
    early: true,
    whenDurable: () => record(store, [{ event: "stored", ...message, by: store.origin }]),
    onStep: store.onStep,
  });
  return published ? message : publish(store, inbox, draft, message.id);
}

/**
 * Whether an inbox has room for another message.
 *
 * Counting means listing the whole inbox, which takes as long as storing a message once a thousand wait. So a sender
 * counts again only after it has used up a share of the room it found, or after a second: the fuller the inbox, the
 * more often, and near the limit every time. Senders that write at the same time may together exceed the limit by a
 * few messages.
 */

/** The last count of each inbox, by role. */
export type InboxCounts = Map<Role, { at: number; newest: string | undefined; uncounted: number }>;

/** An army has six agents that write, and the person. */
const WRITERS = 8;
const MOST_UNCOUNTED = 16;
const COUNT_AGAIN_MS = 1_000;

/** Throws if there is no room; returns the newest id it knows of, so that the next id sorts after it. */
export function requireRoom(store: Store, role: Role): string | undefined {
  const known = store.counts.get(role);
  const age = known === undefined ? NaN : store.now() - known.at;
  // If the clock was set back, the newest id is needed, so a negative age means counting again.
  if (known !== undefined && known.uncounted > 0 && age >= 0 && age < COUNT_AGAIN_MS) {
    known.uncounted -= 1;
    return known.newest;
  }
  return count(store, role);
}

/** Counted anew each time. */
export function roomIn(store: Store, role: Role): number {
  const waiting = readdirSync(store.paths.inbox(role)).filter(isMessageFileName);
  return Math.max(0, store.limits.unreadPerInbox - waiting.length);
}

function count(store: Store, role: Role): string | undefined {
  const waiting = readdirSync(store.paths.inbox(role)).filter(isMessageFileName);
  store.onStep?.("counted");
  const limit = store.limits.unreadPerInbox;
  const room = limit - waiting.length;
  if (room <= 0) {
    store.counts.delete(role);
    throw new OvldError({ code: "inbox-full", facts: { role, limit } });
  }
  const newest = newestId(waiting);
  const uncounted = Math.min(MOST_UNCOUNTED, Math.floor(room / WRITERS));
  store.counts.set(role, { at: store.now(), newest, uncounted });
  return newest;
}

/** Even after the clock was set back, a new message must sort after those that wait. */
function newestId(fileNames: string[]): string | undefined {
  let newest = "";
  for (const name of fileNames) if (name > newest) newest = name;
  return newest === "" ? undefined : messageIdOf(newest);
}

/**
 * Puts a message from another machine into the inbox of a role of this machine, under the id that the hub gave it.
 *
 * It may be called again with the same message: a message that is in the inbox or with a reader is not stored twice.
 * From here on it is mail like any other. Its sender is the one whose account the hub let write it.
 */

export interface CarriedMessage extends ReceivedMessage {
  /** The machine it was sent from, if it says so. */
  machine?: string | undefined;
}

/** False if it is already there. The id becomes the name of a file, so it must be one. */
export function takeIn(store: Store, { machine = "", ...message }: CarriedMessage): boolean {
  const { redelivered: _mark, ...content } = message;
  const { to } = message;
  if (!isMessageId(message.id)) throw new Error(`not an id: ${message.id}`);
  const name = messageFileName(message.id);
  return access(store, () => {
    if (isHeld(store.paths.claims(to), name)) return false;
    return publishNewFile({
      aside: asideFor(store, message.id),
      target: join(store.paths.inbox(to), name),
      content: printMessage(message),
      whenDurable: () => record(store, [{ event: "stored", ...content, machine }]),
      onStep: store.onStep,
    });
  });
}

/** Whether a reader has taken it and not settled it. */
function isHeld(claims: string, name: string): boolean {
  return readdirSync(claims).some((owner) => existsSync(join(claims, owner, name)));
}
