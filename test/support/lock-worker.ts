/**
 * Takes a lock in a process of its own. Prints each step it reaches and stops there until it is told to continue; if
 * it is not watched, only at `waiting` and `holding`. Fails if it is not alone while it holds the lock.
 */
import { closeSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { withLock } from "../../src/system/lock-file.ts";

const [path = "", watched] = process.argv.slice(2);

function stopAt(step: string): void {
  writeSync(1, `${step}\n`);
  readSync(0, Buffer.alloc(1));
}

await withLock(
  path,
  new AbortController().signal,
  async () => {
    const inside = `${path}-inside`;
    closeSync(openSync(inside, "wx"));
    stopAt("holding");
    rmSync(inside);
  },
  { onStep: (step) => (watched || step === "waiting" ? stopAt(step) : undefined) },
);
