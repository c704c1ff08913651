/**
 * When an answer counts as arrived.
 *
 * Writing it out is not enough: a person who interrupts the agent in that moment makes the client throw it away, and
 * says so with a cancellation; and a client may hang before it reads, and die. So each answer gets a moment's grace,
 * and after that counts as arrived when something shows that the client lives: its next request (hooks are requests,
 * so the end of a turn at the latest), or that it asks for the next mail. A client that says nothing is believed after
 * a while. The price is that mail which was read by a silent client lies on the disk that much longer.
 */
import type { RequestId } from "./json-rpc.ts";

/** How long a cancellation may take. */
const GRACE_MS = 500;
/** How long a client that says nothing may take to read: longer than a stall, shorter than a person's patience. */
const SILENCE_MS = 10_000;

/** What follows from an answer's way. */
export interface Fate {
  /** It was written out; whether it arrives is not known yet. */
  onWritten?: (() => void) | undefined;
  onArrival: () => void;
  /** It was written out, and the client says that it has thrown it away. */
  onThrownAway?: (() => void) | undefined;
}

export interface AnswerDelivery {
  /** The answer to this request has been written out. */
  written(id: RequestId, fate: Fate): void;
  /** The client will throw the answer to this request away. */
  cancelled(id: RequestId): void;
  /** The client has sent a request, so it lives. */
  heard(): void;
  /** Whatever was written out has arrived. */
  confirmAll(): void;
  /** Whether an answer is on its way. */
  areAwaited(): boolean;
}

interface Awaited extends Fate {
  /** Whether the time for a cancellation is over. */
  isDue: boolean;
  hasLifeSign: boolean;
  timers: NodeJS.Timeout[];
}

export function trackAnswerDelivery(): AnswerDelivery {
  const awaited = new Map<RequestId, Awaited>();
  const take = (id: RequestId): Awaited | undefined => {
    const answer = awaited.get(id);
    awaited.delete(id);
    for (const timer of answer?.timers ?? []) clearTimeout(timer);
    return answer;
  };
  const confirm = (id: RequestId): void => take(id)?.onArrival();
  return {
    written(id, fate) {
      confirm(id);
      fate.onWritten?.();
      const answer: Awaited = { ...fate, isDue: false, hasLifeSign: false, timers: [] };
      awaited.set(id, answer);
      const due = setTimeout(() => {
        answer.isDue = true;
        if (answer.hasLifeSign) confirm(id);
      }, GRACE_MS);
      answer.timers.push(
        due,
        setTimeout(() => confirm(id), SILENCE_MS),
      );
    },
    cancelled: (id) => take(id)?.onThrownAway?.(),
    heard() {
      for (const [id, answer] of awaited) {
        answer.hasLifeSign = true;
        if (answer.isDue) confirm(id);
      }
    },
    confirmAll() {
      for (const id of awaited.keys()) confirm(id);
    },
    areAwaited: () => awaited.size > 0,
  };
}
