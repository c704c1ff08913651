/** A separate place for one test: folders and a clean environment, all removed afterwards. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

export interface Sandbox {
  root: string;
  home: string;
  relayDir: string;
  /** Nothing from the developer's own environment except the way to find programs. */
  env: Record<string, string>;
  /** Runs when the sandbox ends, in reverse order, even if the test failed. */
  defer(cleanup: () => void | Promise<void>): void;
  [Symbol.asyncDispose](): Promise<void>;
}

export function makeSandbox(): Sandbox {
  const run = process.env["OVLD_TEST_RUN"] ?? "";
  const root = mkdtempSync(join(tmpdir(), `ovld-${run}-`));
  const home = join(root, "home");
  mkdirSync(home);
  const cleanups: (() => void | Promise<void>)[] = [];
  return {
    root,
    home,
    relayDir: join(root, "relay"),
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: home,
      TMPDIR: root,
      LANG: "C.UTF-8",
      // Every process of the suite carries it, so that leftovers can be found at the end.
      OVLD_TEST_RUN: run,
    },
    defer: (cleanup) => cleanups.push(cleanup),
    async [Symbol.asyncDispose]() {
      for (const cleanup of cleanups.toReversed()) await cleanup();
      await removeFolder(root);
    },
  };
}

const REMOVED_WITHIN_MS = 10_000;

/** Ending programs may still write for a moment, and Node's own retries do not remove new files. */
async function removeFolder(path: string): Promise<void> {
  const until = Date.now() + REMOVED_WITHIN_MS;
  for (;;) {
    try {
      return rmSync(path, { recursive: true, force: true });
    } catch (error) {
      if (Date.now() > until) throw error;
      await pause(50);
    }
  }
}
