/** Waiting, and doing things later, once or one at a time. */

/** Waits for the given time, or until asked to stop. */
export function pause(milliseconds: number, stop?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (stop?.aborted) return resolve();
    const done = (): void => {
      clearTimeout(timer);
      stop?.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    stop?.addEventListener("abort", done);
  });
}

export interface Wait {
  /** The time between two looks. */
  everyMs: number;
  /** Without it, there is no limit. */
  withinMs?: number;
  stop?: AbortSignal | undefined;
}

/** Looks at once, and again until the condition holds; false if time is up or `stop` was aborted before it did. */
export async function waitUntil(
  condition: () => boolean | Promise<boolean>,
  { everyMs, withinMs = Infinity, stop }: Wait,
): Promise<boolean> {
  const until = performance.now() + withinMs;
  while (!(await condition())) {
    if (stop?.aborted || performance.now() > until) return false;
    await pause(everyMs, stop);
  }
  return true;
}

/**
 * A deadline that measures progress: it passes when nothing has changed for a while, however long it took so far. `look`
 * returns the current progress; the time starts again whenever that changes.
 */
export function watchMovement(
  look: () => string | number,
  stillMs: number,
): { stoodStill: AbortSignal; close: () => void } {
  const giveUp = new AbortController();
  let seen = look();
  let since = performance.now();
  const timer = setInterval(() => {
    const now = look();
    if (now !== seen) since = performance.now();
    else if (performance.now() - since > stillMs) giveUp.abort();
    seen = now;
  }, 100);
  return { stoodStill: giveUp.signal, close: () => clearInterval(timer) };
}

/**
 * Creates something the first time it is needed, so that a start does not pay for what may never be used.
 */
export function lazily<Thing>(make: () => Thing): () => Thing {
  let made: { thing: Thing } | undefined;
  return () => (made ??= { thing: make() }).thing;
}

/**
 * Makes a function that runs an action, never twice at the same time: a call during a run leads to one more run after
 * it. An action that fails is tried again with the next call.
 */
export function oneAtATime(action: () => Promise<void>): () => void {
  let isRunning = false;
  let isWanted = false;
  const run = async (): Promise<void> => {
    isRunning = true;
    while (isWanted) {
      isWanted = false;
      await action().catch(() => {});
    }
    isRunning = false;
  };
  return () => {
    isWanted = true;
    if (!isRunning) void run();
  };
}

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 15_000;

/**
 * Tries at once, and again after a pause until `isDone` returns true. After each failure the pause is longer: a disk that
 * is full now may not be so later.
 */
export function tryUntilDone(
  isDone: () => boolean,
  onFirstFailure?: (error: unknown) => void,
): { close(): void } {
  let pauseMs = FIRST_PAUSE_MS;
  let timer: NodeJS.Timeout | undefined;
  const tryOnce = (): void => {
    try {
      if (isDone()) return;
    } catch (error) {
      if (pauseMs === FIRST_PAUSE_MS) onFirstFailure?.(error);
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    }
    timer = setTimeout(tryOnce, pauseMs).unref();
  };
  tryOnce();
  return { close: () => clearTimeout(timer) };
}
