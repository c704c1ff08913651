/** One at a time: a lock that names its owner, so that a dead owner's is nobody's. */
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { publishNewFile } from "./durable-files.ts";
import { identifyProcess, isProcessAlive } from "./process-identity.ts";

const LOOK_EVERY_MS = 50;

/** Runs an action while holding the lock; waits for whoever holds it. */
export async function withLock<Result>(
  path: string,
  stop: AbortSignal,
  action: (release: () => void) => Promise<Result>,
): Promise<Result> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const us = identifyProcess(process.pid) ?? `${process.pid}`;
  while (!publishNewFile({ aside: `${path}.${process.pid}`, target: path, content: us })) {
    stop.throwIfAborted();
    if (!isProcessAlive(ownerOf(path))) rmSync(path, { force: true });
    else await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  let held = true;
  const release = (): void => {
    if (held) rmSync(path, { force: true });
    held = false;
  };
  try {
    return await action(release);
  } finally {
    release();
  }
}

function ownerOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
