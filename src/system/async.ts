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

/**
 * Creates something the first time it is needed, so that a relay does not pay at its start for what it may never use.
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
