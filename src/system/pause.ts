/** Waits, but not beyond the moment at which it is asked to stop. */
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
