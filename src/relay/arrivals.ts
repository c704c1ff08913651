/**
 * When an answer counts as arrived.
 *
 * Writing it out is not enough: a person who interrupts the agent in that moment makes the client throw it away,
 * and says so with a cancellation. So each answer gets a moment's grace. It has arrived when that is over, when
 * the client asks for the next, or when the relay ends in order; it has not if it was cancelled before.
 */
import type { RequestId } from "./json-rpc.ts";

const GRACE_MS = 500;

export interface Arrivals {
  /** The answer to this request has been written out. */
  written(id: RequestId, onArrival: () => void): void;
  /** The client will throw the answer to this request away. */
  cancelled(id: RequestId): void;
  /** Whatever was written out has arrived. */
  confirmAll(): void;
  /** Whether an answer is on its way. */
  areAwaited(): boolean;
}

export function watchArrivals(): Arrivals {
  const awaited = new Map<RequestId, { onArrival: () => void; grace: NodeJS.Timeout }>();
  const confirm = (id: RequestId): void => {
    const answer = awaited.get(id);
    awaited.delete(id);
    clearTimeout(answer?.grace);
    answer?.onArrival();
  };
  return {
    written(id, onArrival) {
      confirm(id);
      awaited.set(id, { onArrival, grace: setTimeout(() => confirm(id), GRACE_MS) });
    },
    cancelled(id) {
      clearTimeout(awaited.get(id)?.grace);
      awaited.delete(id);
    },
    confirmAll() {
      for (const id of awaited.keys()) confirm(id);
    },
    areAwaited: () => awaited.size > 0,
  };
}
