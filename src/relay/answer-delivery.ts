/**
 * Decides when an answer counts as arrived.
 *
 * Writing it out is not enough. If the person interrupts the agent at that moment, the client discards the answer and
 * sends a cancellation. A client may also hang before it reads, and die. So each answer first waits for a possible
 * cancellation, and then counts as arrived once the client shows that it is alive: by its next request (hooks are
 * requests, so at the end of the turn at the latest) or by asking for more mail. A client that sends nothing is
 * trusted after a while. The price is that mail read by a silent client stays on disk a little longer.
 *
 * If this process itself was stopped, time has passed without its hearing anything, so it waits once more.
 */
import type { RequestId } from "./json-rpc.ts";

/** How long to wait for a cancellation. */
const GRACE_MS = 500;
/** How long a silent client may take to read: longer than a stall, shorter than a person's patience. */
const SILENCE_MS = 10_000;
/** A timer that is later than this: the process was stopped, and may have a cancellation to read before it goes on. */
const LATE_MS = 100;

/** What to do after an answer was written out. */
export interface Fate {
  /** The answer was written out; whether it will arrive is not known yet. */
  onWritten?: (() => void) | undefined;
  onArrival: () => void;
  /** The answer was written out, but the client says that it has discarded it. */
  onThrownAway?: (() => void) | undefined;
}

export type AnswerDelivery = ReturnType<typeof trackAnswerDelivery>;

interface Awaited extends Fate {
  /** Whether the time for a cancellation is over. */
  isDue: boolean;
  hasLifeSign: boolean;
  timer?: NodeJS.Timeout;
}

export function trackAnswerDelivery() {
  const awaited = new Map<RequestId, Awaited>();
  const take = (id: RequestId): Awaited | undefined => {
    const answer = awaited.get(id);
    awaited.delete(id);
    clearTimeout(answer?.timer);
    return answer;
  };
  const confirm = (id: RequestId): void => take(id)?.onArrival();
  return {
    /** The answer to this request has been written out. */
    written(id: RequestId, fate: Fate): void {
      confirm(id);
      fate.onWritten?.();
      const answer: Awaited = { ...fate, isDue: false, hasLifeSign: false };
      awaited.set(id, answer);
      waitAwake(answer, GRACE_MS, () => {
        answer.isDue = true;
        if (answer.hasLifeSign) confirm(id);
        else waitAwake(answer, SILENCE_MS - GRACE_MS, () => confirm(id));
      });
    },
    /** The client will discard the answer to this request. */
    cancelled: (id: RequestId): void => take(id)?.onThrownAway?.(),
    /** The client has sent a request, so it is alive. */
    heard(): void {
      for (const [id, answer] of awaited) {
        answer.hasLifeSign = true;
        if (answer.isDue) confirm(id);
      }
    },
    /** Everything that was written out has arrived. */
    confirmAll(): void {
      for (const id of awaited.keys()) confirm(id);
    },
    areAwaited: () => awaited.size > 0,
  };
}

/** Waits again if the process was stopped in the meantime. */
function waitAwake(answer: Awaited, ms: number, action: () => void): void {
  const due = performance.now() + ms;
  answer.timer = setTimeout(() => {
    if (performance.now() > due + LATE_MS) waitAwake(answer, ms, action);
    else action();
  }, ms);
}
