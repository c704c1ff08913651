/**
 * Passes on what waits in the outbox: each sender's mail in order, once, by any relay of this machine.
 *
 * A message is removed from the outbox only when the hub has confirmed it. If this process dies in between, the next
 * one sends it again under the same key, and the hub does not store it twice; if the hub has forgotten the key by
 * then, the reader's note marks the second one.
 */
import { withLock } from "../../system/lock-file.ts";
import type { Link } from "./link.ts";
import type { Outbox, Waiting } from "./outbox.ts";
import { sendToHub } from "./send.ts";
import type { HubUser } from "./subjects.ts";

const CONFIRMED_WITHIN_MS = 5_000;

export interface Passing {
  outbox: Outbox;
  stop: AbortSignal;
  onPassed: (user: HubUser, waiting: Waiting, sequence: number) => void;
}

/** False if something still waits. */
export async function passOn(user: HubUser, link: Link, passing: Passing): Promise<boolean> {
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
