/** One at a time: a lock that names its owner, so that a dead owner's is nobody's. */
import { mkdirSync, readFileSync, rmdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { moveFile, publishNewFile } from "./durable-files.ts";
import { hasErrorCode } from "./file-error.ts";
import { pause } from "./pause.ts";
import { identifyProcess, isProcessAlive } from "./process-identity.ts";

const LOOK_EVERY_MS = 50;

/** Runs an action while holding the lock; waits for whoever holds it. */
export async function withLock<Result>(
  path: string,
  stop: AbortSignal,
  action: (release: () => void) => Promise<Result>,
): Promise<Result> {
  const us = identifyProcess(process.pid) ?? `${process.pid}`;
  while (!take(path, us)) {
    stop.throwIfAborted();
    breakIfDead(path);
    await pause(LOOK_EVERY_MS, stop);
  }
  let held = true;
  const release = (): void => {
    if (held && ownerOf(path) === us) giveBack(path);
    held = false;
  };
  try {
    return await action(release);
  } finally {
    release();
  }
}

/** Whether somebody who lives holds it. */
export function isLocked(path: string): boolean {
  return isProcessAlive(ownerOf(path));
}

/** What somebody left who was killed while holding it. */
export function removeDeadLock(path: string): void {
  if (ownerOf(path) === "") return;
  breakIfDead(path);
  removeFolder(path);
}

/** False if somebody else has it. */
function take(path: string, us: string): boolean {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  try {
    return publishNewFile({ aside: `${path}.${process.pid}`, target: path, content: us });
  } catch (error) {
    // Whoever had it before took the empty folder along.
    if (hasErrorCode(error, "ENOENT")) return false;
    throw error;
  }
}

/**
 * A dead owner's lock is moved out of the way before it is removed, and looked at again there: in the meantime
 * somebody else may have broken it and taken a new one, which is then put back.
 */
function breakIfDead(path: string): void {
  const owner = ownerOf(path);
  if (owner === "" || isProcessAlive(owner)) return;
  const aside = `${path}.${process.pid}.broken`;
  if (!moveFile(path, aside)) return;
  const found = ownerOf(aside);
  if (found !== owner) publishNewFile({ aside: `${aside}.copy`, target: path, content: found });
  rmSync(aside, { force: true });
}

/** With the folder it lay in, if nothing else does: a lock leaves no trace. */
function giveBack(path: string): void {
  rmSync(path, { force: true });
  removeFolder(path);
}

function removeFolder(path: string): void {
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
