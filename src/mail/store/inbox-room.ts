/**
 * Whether an inbox has room for another message.
 *
 * Counting means listing the whole inbox, which takes as long as storing a message once a thousand wait. So a sender
 * counts again only after it has used up a share of the room it found, or after a second: the fuller the inbox, the
 * more often, and near the limit every time. Senders that write at the same time may together exceed the limit by a
 * few messages.
 */
import { readdirSync } from "node:fs";
import type { Role } from "../../army/roles.ts";
import { OvldError } from "../../system/ovld-error.ts";
import { isMessageFileName, messageIdOf } from "./paths.ts";
import type { Store } from "./store.ts";

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
