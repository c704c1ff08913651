/**
 * Decides when the person is told of mail to them. The first message of a sender is told of after a moment, with those
 * that came meanwhile. After that the sender has to wait, longer each time as long as the person reads nothing of it: so
 * an agent that writes in a loop is told of once, with a count.
 */
import type { Sender } from "../army/roles.ts";
import type { Message } from "../mail/store/message.ts";

const GATHER_MS = 1_000;
const PAUSE_MS = 60_000;
const LONGEST_PAUSE_MS = 3_600_000;

interface Sending {
  /** Not told of yet. */
  fresh: number;
  latest: Message;
  pauseMs: number;
  nextAt: number;
  timer: NodeJS.Timeout | undefined;
}

interface Gathering {
  /** How much mail of a sender the person has not read. */
  countUnread: (from: Sender) => number;
  /** False if the person cannot be told now, and may see the mail elsewhere: then it is tried again. */
  tell: (count: number, latest: Message) => boolean;
}

export function gatherLetters({ countUnread, tell }: Gathering) {
  const senders = new Map<Sender, Sending>();

  function tellOf(from: Sender, sending: Sending): void {
    sending.timer = undefined;
    const unread = countUnread(from);
    const count = Math.min(sending.fresh, unread);
    const wasRead = unread <= sending.fresh;
    if (count > 0 && !tell(count, sending.latest)) return plan(from, sending, PAUSE_MS);
    sending.fresh = 0;
    if (count === 0) return;
    sending.pauseMs = wasRead ? PAUSE_MS : Math.min(2 * sending.pauseMs, LONGEST_PAUSE_MS);
    sending.nextAt = performance.now() + sending.pauseMs;
  }

  function plan(from: Sender, sending: Sending, inMs: number): void {
    sending.timer ??= setTimeout(() => tellOf(from, sending), inMs).unref();
  }

  function hear(message: Message): void {
    const { from } = message;
    const known = senders.get(from);
    const sending = known ?? { fresh: 0, latest: message, pauseMs: PAUSE_MS, nextAt: 0, timer: undefined };
    if (known === undefined) senders.set(from, sending);
    sending.fresh += 1;
    sending.latest = message;
    plan(from, sending, Math.max(GATHER_MS, sending.nextAt - performance.now()));
  }

  return {
    hear,
    /** Tells what has not been told yet: this process ends. */
    close(this: void): void {
      for (const [from, sending] of senders) {
        clearTimeout(sending.timer);
        if (sending.timer !== undefined) tellOf(from, sending);
      }
    },
  };
}
