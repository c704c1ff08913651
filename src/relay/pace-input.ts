/**
 * Lets requests begin a few at a time, and only while the client reads its answers.
 *
 * One piece of input may have hundreds of small requests, each with a large answer. So only a few begin in one turn of
 * the event loop, and the next ones when the size of their answers is known. Whatever follows a request and is not one,
 * such as its cancellation, does not wait for that turn.
 */
import type { Readable } from "node:stream";

interface Step {
  isRequest: boolean;
  run: () => void;
}

export interface Pace {
  add(step: Step): void;
  /** Call this when the client has read something. */
  goOn(): void;
}

/** An answer has at most half a megabyte. */
const MOST_PER_TURN = 16;

export function paceInput(input: Readable, isStuck: () => boolean): Pace {
  const waiting: Step[] = [];
  let begun = 0;

  function goOn(): void {
    while (!isStuck()) {
      const [next] = waiting;
      if (next === undefined) return void input.resume();
      if (next.isRequest && begun === MOST_PER_TURN) break;
      waiting.shift();
      if (next.isRequest) countOne();
      next.run();
    }
    input.pause();
  }

  function countOne(): void {
    begun += 1;
    if (begun > 1) return;
    setImmediate(() => {
      begun = 0;
      goOn();
    });
  }

  return {
    goOn,
    add(step) {
      waiting.push(step);
      if (waiting.length === 1) goOn();
    },
  };
}
