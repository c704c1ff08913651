/**
 * Where the benchmark works: a temporary folder, and children in a clean environment; both are gone at the end.
 *
 * The environment contains only what a program needs to run: a variable such as NODE_EXTRA_CA_CERTS costs every Node
 * tens of milliseconds, for the floor as well as for ovld, and would flatter our ratio.
 */
import { spawn, spawnSync, type ChildProcessByStdio } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";

export type Child = ChildProcessByStdio<Writable, Readable, null>;

export interface Workplace {
  /** How many samples to take, given the number for a full run. */
  samples(full: number): number;
  /** A new empty folder. */
  makeFolder(): string;
  /** Starts Node with these arguments. */
  startNode(args: string[], env?: Record<string, string>): Child;
  /** Runs before the folder is removed, even if a measurement failed. */
  defer(cleanup: () => void): void;
  /** Ends every remaining child and removes the folder. */
  leave(): void;
}

/** A quick run must still have a median. */
const FEWEST_SAMPLES = 3;

export function makeWorkplace(quick: boolean): Workplace {
  const root = mkdtempSync(join(tmpdir(), "ovld-bench-"));
  spreadFolders(root);
  const home = join(root, "home");
  mkdirSync(home);
  const cleanEnv = { PATH: process.env["PATH"] ?? "", HOME: home, LANG: "C.UTF-8" };
  const children = new Set<Child>();
  const cleanups: (() => void)[] = [];
  return {
    defer: (cleanup) => cleanups.push(cleanup),
    samples: (full) => (quick ? Math.max(FEWEST_SAMPLES, Math.ceil(full / 10)) : full),
    makeFolder: () => mkdtempSync(join(root, "folder-")),
    startNode(args, env = {}) {
      const child = spawn(process.execPath, args, {
        cwd: root,
        env: { ...cleanEnv, ...env },
        stdio: ["pipe", "pipe", "inherit"],
      });
      children.add(child);
      child.once("exit", () => children.delete(child));
      // If a child ends before it has read everything, its answer will be missing.
      child.stdin.on("error", () => {});
      return child;
    },
    leave() {
      for (const cleanup of cleanups) cleanup();
      for (const child of children) child.kill("SIGKILL");
      // A writer may finish its last system call after the signal.
      rmSync(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
    },
  };
}

/**
 * Lets each new folder below this one start in an unused part of the disk, where the file system can do that. ext4
 * without a journal, as in many virtual machines, does not reuse the place of a deleted file for minutes, and searches
 * past all of them whenever a file is made. What another program deleted just before, or this one in an earlier
 * measurement, would double the time of every message here and of the floor.
 */
function spreadFolders(root: string): void {
  spawnSync("chattr", ["+T", root], { stdio: "ignore" });
}
