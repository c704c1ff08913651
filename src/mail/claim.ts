/**
 * Reading an inbox so that nothing is lost and nothing is read by two.
 *
 * Each message is moved into a folder of this reader's own, which only one reader can do; then all are handed
 * over; and only when the caller says that they have arrived (`settle`) are they removed. A reader that dies in
 * between leaves them in its folder. Whoever reads next finds the owner dead, takes them over and marks them.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Role } from "../army/roles.ts";
import { isProcessAlive } from "../system/process-identity.ts";
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
import { removeLeftovers } from "./leftovers.ts";
import type { ReceivedMessage } from "./message.ts";
import { isMessageFileName } from "./paths.ts";
import { lowerFlag } from "./pending-flag.ts";
import { access, type Store } from "./store.ts";

export interface Claim {
  /** Oldest first, as many as an answer surely holds. */
  messages: ReceivedMessage[];
  /** How many more wait for the next claim. */
  remaining: number;
  /** To be called when they are on their way to the reader: from then on the journal has them as read. */
  handOver: () => void;
  /** To be called once the messages have arrived; until then they come back with the next claim. */
  settle: () => void;
  /**
   * To be called when the reader says that it has thrown them away after they were written out to it: they come back,
   * marked. A client may say so of everything it was given, so what it has thrown away before is settled.
   */
  giveBack: () => void;
}

export function claimInbox(store: Store, role: Role): Claim {
  const { paths } = store;
  const through = [paths.inbox(role), paths.claims(role), paths.tmp, paths.flags, paths.quarantine];
  return access(store, through, () => {
    // First of all, so that mail which arrives from here on rings again.
    tolerate(store, role, store.paths.pending(role), () => lowerFlag(store, role));
    removeLeftovers(store);
    const mine = join(store.paths.claims(role), store.owner);
    const held: Held = new Map(listHeld(mine).map((name) => [name, { redelivered: true }]));
    takeOverFromTheDead(store, role, mine, held);
    const waiting = takeFromInbox(store, role, mine, held);
    store.onStep?.("claimed");
    const { messages, left } = readHeld(store, role, mine, held);
    store.onStep?.("parsed");
    const handOver = onlyOnce(() => recordReading(store, role, [...messages.values()]));
    return {
      messages: [...messages.values()],
      remaining: waiting + left,
      handOver,
      settle() {
        handOver();
        settle(store, mine, messages);
      },
      giveBack() {
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
      take(store, theirs, listHeld(theirs), mine, held, { redelivered: true });
      removeIfEmpty(theirs);
    });
  }
}

/** Takes what fits beside what is held already, and returns how many it left. */
function takeFromInbox(store: Store, role: Role, mine: string, held: Held): number {
  const inbox = store.paths.inbox(role);
  const waiting = readdirSync(inbox).filter(isMessageFileName).toSorted();
  store.onStep?.("listed");
  const room = roomForAnswer();
  for (const name of held.keys()) room.take(name, sizeOf(join(mine, name)));
  const fitting = waiting.filter((name) => room.take(name, sizeOf(join(inbox, name))));
  take(store, inbox, fitting, mine, held, { redelivered: false });
  return waiting.length - fitting.length;
}

function onlyOnce(action: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) action();
    isDone = true;
  };
}
