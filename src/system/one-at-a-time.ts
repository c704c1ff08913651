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
