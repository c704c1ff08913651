/**
 * A lock for one process at a time. It names its owner, so that the lock of a dead owner can be broken.
 *
 * A lock is a folder that contains one file, named after its owner.
 *
 * - A process takes it by moving a folder with its own name inside into place. That succeeds if there is no lock or
 *   an empty one, and never if there is an owner in it, so only one of several processes succeeds.
 * - The lock of a dead owner is broken by removing the file with that exact name. A process that does so late, when
 *   the lock has already been broken and taken by another, removes nothing, because owner names are never reused.
 * - Anything else in place of the lock is an error that names it.
 */
import { closeSync, mkdirSync, openSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { moveFile } from "./durable-files.ts";
import { tryTo, hasErrorCode } from "./file-error.ts";
import { OvldError } from "./ovld-error.ts";
import { pause } from "./async.ts";
import { identifyOurselves, isProcessAlive } from "./process.ts";
import { listFolder } from "./paths.ts";

const OWNER = /^\d+-[\w.-]+$/;

/** The points at which other processes may come in between; a test stops at each of them. */
export type LockStep = "found dead" | "broken" | "prepared" | "taken" | "waiting" | "emptied" | "released";

export interface LockOptions {
  onStep?: (step: LockStep) => void;
  /** Called once if a living process has held the lock for a while. */
  onWaiting?: (path: string, owner: { pid: number }) => void;
  /** Whether to create all parent folders, or only the direct one, so that a removed store is not recreated. */
  makesParents?: boolean;
}

export interface HeldLock {
  /** May be called more than once. */
  release(): void;
}

/** Runs an action while holding the lock; waits until the lock is free. */
export async function withLock<Result>(
  path: string,
  stop: AbortSignal,
  action: (release: () => void) => Promise<Result>,
  options?: LockOptions,
): Promise<Result> {
  const lock = await takeLock(path, stop, options);
  try {
    return await action(() => lock.release());
  } finally {
    lock.release();
  }
}

const SAY_WAITING_AFTER_MS = 3_000;

/** Waits until the lock is free, and takes it. */
export async function takeLock(
  path: string,
  stop: AbortSignal,
  options: LockOptions = {},
): Promise<HeldLock> {
  const { onStep = () => {}, onWaiting, makesParents = true } = options;
  const us = `${identifyOurselves()}-${Math.random().toString(36).slice(2, 8)}`;
  let sayWaitingAt = performance.now() + SAY_WAITING_AFTER_MS;
  while (!take(path, us, onStep, makesParents)) {
    stop.throwIfAborted();
    onStep("waiting");
    const owner =
      performance.now() < sayWaitingAt ? undefined : ownersOf(path).find((name) => isProcessAlive(name));
    if (owner !== undefined) {
      onWaiting?.(path, { pid: Number.parseInt(owner, 10) });
      sayWaitingAt = Infinity;
    }
    await pause(50, stop);
  }
  onStep("taken");
  removeLeftovers(path);
  let held = true;
  return {
    release() {
      if (!held) return;
      held = false;
      rmSync(join(path, us), { force: true });
      onStep("emptied");
      removeFolders(path);
      onStep("released");
    },
  };
}

/** Whether a living process holds the lock. */
export function isLocked(path: string): boolean {
  return listFolder(path).some((name) => isProcessAlive(name));
}

/** Removes the lock of a process that was killed while holding it. */
export function removeDeadLock(path: string): void {
  if (ownersOf(path).length > 0 && breakIfDead(path, () => {})) removeFolders(path);
}

/** False if another process has it. */
function take(path: string, us: string, onStep: (step: LockStep) => void, makesParents: boolean): boolean {
  if (!breakIfDead(path, onStep)) return false;
  makeFolder(dirname(path), makesParents);
  const aside = `${path}.${us}`;
  try {
    mkdirSync(aside, { mode: 0o700 });
    closeSync(openSync(join(aside, us), "wx", 0o600));
    onStep("prepared");
    return moveFile(aside, path);
  } catch (error) {
    // Another process was faster, or the previous owner removed the empty folder.
    if (hasErrorCode(error, "ENOTEMPTY", "EEXIST", "ENOENT")) return false;
    throw error;
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}

function makeFolder(path: string, recursive: boolean): void {
  try {
    mkdirSync(path, { recursive, mode: 0o700 });
  } catch (error) {
    if (!hasErrorCode(error, "EEXIST")) throw error;
  }
}

/** False if its owner holds it. */
function breakIfDead(path: string, onStep: (step: LockStep) => void): boolean {
  for (const owner of ownersOf(path)) {
    if (isProcessAlive(owner)) return false;
    onStep("found dead");
    rmSync(join(path, owner), { force: true });
    onStep("broken");
  }
  return true;
}

/** Also the parent folder if it is empty, so that a lock leaves no trace. */
function removeFolders(path: string): void {
  // The folder is in use.
  tryTo(() => {
    rmdirSync(path);
    rmdirSync(dirname(path));
  });
}

/** A process that died while taking the lock leaves the folder that it had prepared. */
function removeLeftovers(path: string): void {
  const beginning = `${basename(path)}.`;
  for (const name of listFolder(dirname(path))) {
    const owner = name.slice(beginning.length);
    if (!name.startsWith(beginning) || !OWNER.test(owner) || isProcessAlive(owner)) continue;
    const folder = join(dirname(path), name);
    // Another process removed it first, or it is not ours.
    tryTo(() => {
      // Nothing else is in a folder of ours, so nothing else is removed with it.
      rmSync(join(folder, owner), { force: true });
      rmdirSync(folder);
    });
  }
}

/** Throws if something else is in place of the lock. */
function ownersOf(path: string): string[] {
  try {
    const entries = readdirSync(path, { withFileTypes: true });
    if (entries.every((entry) => entry.isFile() && OWNER.test(entry.name)))
      return entries.map(({ name }) => name);
  } catch (error) {
    if (hasErrorCode(error, "ENOENT")) return [];
    if (!hasErrorCode(error, "ENOTDIR", "EACCES", "ELOOP")) throw error;
  }
  throw new OvldError({ code: "store-foreign", facts: { path } });
}
