/**
 * A lock for one process at a time. It names its owner, so that the lock of a dead owner can be broken.
 *
 * A lock is a folder that contains one file, named after its owner, who keeps it open as long as it holds the lock.
 *
 * - A process takes it by moving a folder with its own name inside into place. That succeeds if there is no lock or
 *   an empty one, and never if there is an owner in it, so only one of several processes succeeds.
 * - The lock of a dead owner is broken by removing the file with that exact name. A process that does so late, when
 *   the lock has already been broken and taken by another, removes nothing, because owner names are never reused.
 * - A file that names a process which does not have it open is forged, and broken in the same way.
 * - Anything else in place of the lock is reported, and moved or removed once it is old.
 */
import { identifyOurselves, isProcessAlive } from "./process-identity.ts";
import {
  closeSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmdirSync,
  rmSync,
  type Dirent,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { moveFile } from "./durable-files.ts";
import { hasErrorCode } from "./file-error.ts";
import { holdsFile } from "./holds-file.ts";
import { pause } from "./pause.ts";

const LOOK_EVERY_MS = 50;
/** Anything in place of a lock that names no owner may be cleared away once it is this old. */
const FOREIGN_FOR_MS = 5_000;
const SAYS_WAITING_AFTER_MS = 3_000;
const OWNER = /^\d+-[\w.-]+$/;

/** The points at which other processes may come in between; a test stops at each of them. */
export type LockStep = "found dead" | "broken" | "prepared" | "taken" | "waiting" | "emptied" | "released";

export interface LockOptions {
  onStep?: (step: LockStep) => void;
  /** Called once if something else is in place of the lock. */
  onForeign?: (path: string) => void;
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

/** Waits until the lock is free, and takes it. */
export async function takeLock(
  path: string,
  stop: AbortSignal,
  { onStep = () => {}, onForeign, onWaiting, makesParents = true }: LockOptions = {},
): Promise<HeldLock> {
  const us = `${identifyOurselves()}-${randomName()}`;
  let foreignSince: number | undefined;
  const sayWaiting = onceLater(SAYS_WAITING_AFTER_MS, () => {
    const owner = namesIn(path).find((name) => holdsFile(name, join(path, name)));
    if (owner !== undefined) onWaiting?.(path, { pid: Number.parseInt(owner, 10) });
  });
  let file: number | undefined;
  while ((file = take(path, us, onStep, makesParents)) === undefined) {
    stop.throwIfAborted();
    onStep("waiting");
    if (isForeign(path)) {
      if (foreignSince === undefined) onForeign?.(path);
      foreignSince ??= performance.now();
      breakForeign(path, performance.now() - foreignSince);
    } else sayWaiting();
    await pause(LOOK_EVERY_MS, stop);
  }
  onStep("taken");
  removeLeftovers(path);
  return {
    release() {
      if (file === undefined) return;
      giveBack(path, us, onStep);
      closeSync(file);
      file = undefined;
    },
  };
}

/** The first call after the delay runs the action; all others do nothing. */
function onceLater(delayMs: number, action: () => void): () => void {
  let due = performance.now() + delayMs;
  return () => {
    if (performance.now() < due) return;
    due = Infinity;
    action();
  };
}

/** Whether a living process holds the lock. */
export function isLocked(path: string): boolean {
  return namesIn(path).some((owner) => holdsFile(owner, join(path, owner)));
}

/** Removes the lock of a process that was killed while holding it. */
export function removeDeadLock(path: string): void {
  if (namesIn(path).length === 0 || isForeign(path) || !breakIfDead(path, () => {})) return;
  removeFolders(path);
}

/** The open file of the lock; undefined if another process has it. */
function take(
  path: string,
  us: string,
  onStep: (step: LockStep) => void,
  makesParents: boolean,
): number | undefined {
  if (isForeign(path) || !breakIfDead(path, onStep)) return undefined;
  makeFolder(dirname(path), makesParents);
  const aside = `${path}.${us}`;
  let prepared: number | undefined;
  let taken: number | undefined;
  try {
    mkdirSync(aside, { mode: 0o700 });
    prepared = openSync(join(aside, us), "wx", 0o600);
    onStep("prepared");
    if (moveFile(aside, path)) taken = prepared;
    return taken;
  } catch (error) {
    // Another process was faster, or the previous owner removed the empty folder.
    if (hasErrorCode(error, "ENOTEMPTY", "EEXIST", "ENOENT", "ENOTDIR")) return undefined;
    throw error;
  } finally {
    if (prepared !== taken && prepared !== undefined) closeSync(prepared);
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
  for (const owner of namesIn(path)) {
    if (holdsFile(owner, join(path, owner))) return false;
    onStep("found dead");
    rmSync(join(path, owner), { force: true });
    onStep("broken");
  }
  return true;
}

/** Also removes the parent folders if they are empty, so that a lock leaves no trace. */
function giveBack(path: string, us: string, onStep: (step: LockStep) => void): void {
  rmSync(join(path, us), { force: true });
  onStep("emptied");
  removeFolders(path);
  onStep("released");
}

function removeFolders(path: string): void {
  try {
    rmdirSync(path);
    rmdirSync(dirname(path));
  } catch {
    // The folder is in use.
  }
}

function isForeign(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return false;
  return (
    !found.isDirectory() ||
    !mayList(path) ||
    entriesIn(path).some((entry) => !entry.isFile() || !OWNER.test(entry.name))
  );
}

/** A folder without permissions, or another user's, looks empty and can never be replaced. */
function mayList(folder: string): boolean {
  try {
    readdirSync(folder);
    return true;
  } catch (error) {
    return !hasErrorCode(error, "EACCES");
  }
}

/** An empty file, a pipe or a link is removed; a folder may contain something useful and is only moved aside. */
function breakForeign(path: string, watchedMs: number): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found || Math.max(watchedMs, Date.now() - found.mtimeMs) < FOREIGN_FOR_MS) return;
  const aside = `${path}.foreign-${randomName()}`;
  if (moveFile(path, aside) && !found.isDirectory()) rmSync(aside, { force: true });
}

/** A process that died while taking the lock leaves the folder that it had prepared. */
function removeLeftovers(path: string): void {
  const beginning = `${basename(path)}.`;
  for (const name of namesIn(dirname(path))) {
    const owner = name.slice(beginning.length);
    if (!name.startsWith(beginning) || !OWNER.test(owner) || isProcessAlive(owner)) continue;
    const folder = join(dirname(path), name);
    try {
      // Nothing else is in a folder of ours, so nothing else is removed with it.
      rmSync(join(folder, owner), { force: true });
      rmdirSync(folder);
    } catch {
      // Another process removed it first, or it is not ours.
    }
  }
}

function namesIn(folder: string): string[] {
  return entriesIn(folder).map(({ name }) => name);
}

function entriesIn(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function randomName(): string {
  return Math.random().toString(36).slice(2, 8);
}
