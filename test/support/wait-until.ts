import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** Only a hang reaches this. */
const LIMIT_MS = 120_000;

/** For `expect.poll`. */
export const soon = { timeout: LIMIT_MS, interval: 20 };

/** Waits for a condition, and names it if it does not come true. */
export async function waitUntil(
  what: string,
  holds: () => boolean | Promise<boolean>,
  { timeout = LIMIT_MS, interval = 20 }: { timeout?: number; interval?: number } = {},
): Promise<void> {
  const until = Date.now() + timeout;
  while (!(await holds())) {
    if (Date.now() > until) throw new Error(`waited ${timeout} ms for this: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, interval));
  }
}

/** A limit that a quiet machine keeps easily, and longer by as much as this one is slow right now. */
export async function atMost(milliseconds: number): Promise<number> {
  const began = performance.now();
  await promisify(execFile)(process.execPath, ["--eval", ""]);
  return milliseconds + 10 * (performance.now() - began);
}
