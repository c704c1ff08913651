/** A separate place for one test: folders and a clean environment, all removed afterwards. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { endStragglers } from "./end-stragglers.ts";
import { programPath } from "./program-path.ts";

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

const open = new Set<Sandbox>();

/** For what goes on after its test is over: a test that takes too long is not stopped. */
export async function endOpenSandboxes(): Promise<void> {
  for (const sandbox of open) {
    await endStragglers(sandbox.home);
    await sandbox[Symbol.asyncDispose]();
  }
}

export function makeSandbox(): Sandbox {
  const run = process.env["OVLD_TEST_RUN"] ?? "";
  const root = mkdtempSync(join(tmpdir(), `ovld-${run}-`));
  const home = join(root, "home");
  mkdirSync(home);
  const cleanups: (() => void | Promise<void>)[] = [];
  const sandbox: Sandbox = {
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
      OVLD_PRACTICE_DRILL: programPath("practice-drill.mjs"),
    },
    defer: (cleanup) => cleanups.push(cleanup),
    async [Symbol.asyncDispose]() {
      const errors: unknown[] = [];
      for (const cleanup of [() => removeFolder(root), ...cleanups.splice(0)].toReversed()) {
        try {
          await cleanup();
        } catch (error) {
          errors.push(error);
        }
      }
      open.delete(sandbox);
      if (errors.length > 0) throw errors[0];
    },
  };
  open.add(sandbox);
  return sandbox;
}

/**
 * For a function that hands out something that has to be ended, and does more before it returns: ends it if that fails
 * or skips the test, because the caller never gets it then.
 */
export async function endIfThrown<T>(
  owner: { [Symbol.asyncDispose](): Promise<void> },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    // This error says why; one of the cleanup would hide it.
    await owner[Symbol.asyncDispose]().catch(() => {});
    throw error;
  }
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
