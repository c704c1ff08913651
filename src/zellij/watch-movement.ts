/** A deadline that measures progress: it passes when nothing has moved for a while, however long it took so far. */
const LOOK_EVERY_MS = 100;

export interface Movement {
  /** Aborted when it has stood still for too long. */
  stoodStill: AbortSignal;
  close: () => void;
}

/** `look` says how far it has come; whenever that changes, the time begins anew. */
export function watchMovement(look: () => string | number, stillMs: number): Movement {
  const giveUp = new AbortController();
  let seen = look();
  let since = performance.now();
  const timer = setInterval(() => {
    const now = look();
    if (now !== seen) since = performance.now();
    else if (performance.now() - since > stillMs) giveUp.abort();
    seen = now;
  }, LOOK_EVERY_MS);
  return { stoodStill: giveUp.signal, close: () => clearInterval(timer) };
}
