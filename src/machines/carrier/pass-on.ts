/**
 * Passes on what waits in the outbox: each sender's mail in order, once, by any relay of this machine.
 *
 * A message is removed from the outbox only when the hub has confirmed it. If this process dies in between, the next
 * one sends it again under the same key, and the hub does not store it twice; if the hub has forgotten the key by
 * then, the reader's record marks the second one.
 */
import { withLock } from "../../system/lock-file.ts";
import { type Link, openLink } from "./link.ts";
import type { Outbox, Waiting } from "./outbox.ts";
import { sendToHub } from "./deliver.ts";
import { type HubUser, HUB_USERS } from "./subjects.ts";
import { pause } from "../../system/async.ts";
import { accessOf, type Membership } from "../membership.ts";

const AGAIN_MS = 500;
const CONNECT_MS = 2_000;

export interface KeepPassing extends Passing {
  user: HubUser;
  link: Link;
  membership: Membership;
}

export interface PassingLoop {
  /** Something may be waiting. */
  look: () => void;
  /** The same, and returns when all that can be passed on now has been, or the time is up. */
  flush: (withinMs: number) => Promise<void>;
  close: () => Promise<void>;
}

export function keepPassing(options: Omit<KeepPassing, "stop">): PassingLoop {
  const stop = new AbortController();
  let running: Promise<void> = Promise.resolve();
  let isRunning = false;
  let again: NodeJS.Timeout | undefined;

  const run = async (): Promise<void> => {
    const isDone = await passEverything({ ...options, stop: stop.signal }).catch(() => false);
    isRunning = false;
    if (!isDone && !stop.signal.aborted) again = setTimeout(look, AGAIN_MS).unref();
  };
  const look = (): void => {
    if (isRunning || stop.signal.aborted) return;
    clearTimeout(again);
    isRunning = true;
    running = run();
  };
  options.link.onUp(look);
  look();
  return {
    look,
    async flush(withinMs) {
      look();
      const late = new AbortController();
      await Promise.race([running, pause(withinMs, late.signal)]);
      late.abort();
    },
    async close() {
      stop.abort();
      clearTimeout(again);
      await running;
    },
  };
}

/** Also for other roles of this machine, whose relays may not be running. */
async function passEverything(options: KeepPassing): Promise<boolean> {
  const { user, link, outbox, membership, stop } = options;
  let isDone = true;
  for (const each of HUB_USERS) {
    if (outbox.isEmpty(each) || stop.aborted) continue;
    if (each === user) isDone = link.up() !== undefined && (await passOn(each, link, options)) && isDone;
    else isDone = (await passForAnother(each, membership, options)) && isDone;
  }
  return isDone;
}

async function passForAnother(user: HubUser, membership: Membership, passing: Passing): Promise<boolean> {
  if (membership.seeds[user] === undefined) return true;
  const link = openLink({ ...accessOf(membership, user), name: `ovld outbox of ${user}` });
  try {
    return (await link.whenUp(CONNECT_MS)) !== undefined && (await passOn(user, link, passing));
  } finally {
    await link.close();
  }
}

const CONFIRMED_WITHIN_MS = 5_000;

interface Passing {
  outbox: Outbox;
  stop: AbortSignal;
  onPassed: (user: HubUser, waiting: Waiting, sequence: number) => void;
}

/** False if something still waits. */
async function passOn(user: HubUser, link: Link, passing: Passing): Promise<boolean> {
  const { outbox, stop } = passing;
  if (outbox.isEmpty(user)) return true;
  return withLock(outbox.lock(user), stop, () => passAll(user, link, passing));
}

async function passAll(user: HubUser, link: Link, { outbox, stop, onPassed }: Passing): Promise<boolean> {
  /** Those whose inbox has no room now: later mail to them must not overtake. */
  const full = new Set<string>();
  for (const name of outbox.list(user)) {
    if (stop.aborted) return false;
    const waiting = outbox.read(user, name);
    if (waiting === undefined) {
      // A damaged file is no message, and stays for the person to look at.
      full.add("");
      continue;
    }
    if (full.has(waiting.to)) continue;
    const sent = await sendToHub(link, waiting, CONFIRMED_WITHIN_MS);
    if ("unknown" in sent) {
      // A server that has lost the others stores nothing, though it holds the connection.
      link.moveOn();
      return false;
    }
    if ("refused" in sent) full.add(waiting.to);
    else {
      onPassed(user, waiting, sent.sequence);
      outbox.forget(user, name);
    }
  }
  return full.size === 0;
}
