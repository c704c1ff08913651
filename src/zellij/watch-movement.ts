/** A deadline that measures progress: it passes when nothing has changed for a while, however long it took so far. */
import { LOOK_AT_MOVEMENT_EVERY_MS } from "./timings.ts";

export interface Movement {
  /** Aborted when there was no progress for too long. */
  stoodStill: AbortSignal;
  close: () => void;
}

/** `look` returns the current progress; the time starts again whenever that changes. */
export function watchMovement(look: () => string | number, stillMs: number): Movement {
  const giveUp = new AbortController();
  let seen = look();
  let since = performance.now();
  const timer = setInterval(() => {
    const now = look();
    if (now !== seen) since = performance.now();
    else if (performance.now() - since > stillMs) giveUp.abort();
    seen = now;
  }, LOOK_AT_MOVEMENT_EVERY_MS);
  return { stoodStill: giveUp.signal, close: () => clearInterval(timer) };
}
