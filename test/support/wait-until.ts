/** For `expect.poll`: what comes at once on a quiet machine, and much later on one that is busy with other work. */
export const soon = { timeout: 45_000, interval: 20 };

/** Waits for a condition, and names it if it does not come true. */
export async function waitUntil(
  what: string,
  holds: () => boolean | Promise<boolean>,
  { timeout = 20_000, interval = 20 }: { timeout?: number; interval?: number } = {},
): Promise<void> {
  const until = Date.now() + timeout;
  while (!(await holds())) {
    if (Date.now() > until) throw new Error(`waited ${timeout} ms for this: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, interval));
  }
}
