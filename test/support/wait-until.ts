/** For `expect.poll`: generous, because a busy machine is much slower than a quiet one. */
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
