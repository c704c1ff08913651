/** One at a time: a lock that names its owner, so that a dead owner's is nobody's. */
import { mkdirSync, readFileSync, rmdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { publishNewFile } from "./durable-files.ts";
import { hasErrorCode } from "./file-error.ts";
import { identifyProcess, isProcessAlive } from "./process-identity.ts";

const LOOK_EVERY_MS = 50;

/** Runs an action while holding the lock; waits for whoever holds it. */
export async function withLock<Result>(
  path: string,
  stop: AbortSignal,
  action: (release: () => void) => Promise<Result>,
): Promise<Result> {
  while (!take(path)) {
    stop.throwIfAborted();
    if (!isProcessAlive(ownerOf(path))) rmSync(path, { force: true });
    else await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  let held = true;
  const release = (): void => {
    if (held) giveBack(path);
    held = false;
  };
  try {
    return await action(release);
  } finally {
    release();
  }
}

/** False if somebody else has it. */
function take(path: string): boolean {
  const us = identifyProcess(process.pid) ?? `${process.pid}`;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  try {
    return publishNewFile({ aside: `${path}.${process.pid}`, target: path, content: us });
  } catch (error) {
    // Whoever had it before took the empty folder along.
    if (hasErrorCode(error, "ENOENT")) return false;
    throw error;
  }
}

/** With the folder it lay in, if nothing else does: a lock leaves no trace. */
function giveBack(path: string): void {
  rmSync(path, { force: true });
  try {
    rmdirSync(dirname(path));
  } catch {
    // Somebody has use for it.
  }
}

function ownerOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
