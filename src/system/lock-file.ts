/**
 * One at a time: a lock that names its owner, so that a dead owner's is nobody's.
 *
 * A lock is a folder with one file in it, named after its owner.
 *
 * - It is taken by moving a folder with the own name in it into place. That works where there is no lock or an empty
 *   one, and never where there is an owner in it: so of any number only one succeeds.
 * - A dead owner's lock is broken by removing the file of that very name. Whoever does so late, when somebody else has
 *   broken it and a third has taken it, removes nothing: an owner's name never comes again.
 * - Anything else in its place is told, and out of the way once it is old.
 */
import { identifyOurselves, isProcessAlive } from "./process-identity.ts";
import { lstatSync, mkdirSync, readdirSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { moveFile } from "./durable-files.ts";
import { hasErrorCode } from "./file-error.ts";
import { pause } from "./pause.ts";

const LOOK_EVERY_MS = 50;
/** Something that names no owner in place of a lock is nobody's once it is this old. */
const FOREIGN_FOR_MS = 5_000;
const OWNER = /^\d+-[\w.-]+$/;

/** The moments at which others may come in between; a test stops at each. */
export type LockStep = "found dead" | "broken" | "prepared" | "taken" | "waiting" | "emptied" | "released";

export interface LockOptions {
  onStep?: (step: LockStep) => void;
  /** Told once if something else stands in place of the lock. */
  onForeign?: (path: string) => void;
  /** Whether all folders above it are made; otherwise only the one it lies in, so that it never brings back more. */
  makesParents?: boolean;
}

/** Runs an action while holding the lock; waits for whoever holds it. */
export async function withLock<Result>(
  path: string,
  stop: AbortSignal,
  action: (release: () => void) => Promise<Result>,
  { onStep = () => {}, onForeign, makesParents = true }: LockOptions = {},
): Promise<Result> {
  const us = `${identifyOurselves()}-${Math.random().toString(36).slice(2, 8)}`;
  let foreignSince: number | undefined;
  while (!take(path, us, onStep, makesParents)) {
    stop.throwIfAborted();
    onStep("waiting");
    if (isForeign(path)) {
      if (foreignSince === undefined) onForeign?.(path);
      foreignSince ??= performance.now();
      breakForeign(path, performance.now() - foreignSince);
    }
    await pause(LOOK_EVERY_MS, stop);
  }
  onStep("taken");
  removeLeftovers(path);
  let held = true;
  const release = (): void => {
    if (held) giveBack(path, us, onStep);
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
  return namesIn(path).some((owner) => isProcessAlive(owner));
}

/** What somebody left who was killed while holding it. */
export function removeDeadLock(path: string): void {
  if (namesIn(path).length === 0 || isForeign(path) || !breakIfDead(path, () => {})) return;
  removeFolders(path);
}

/** False if somebody else has it. */
function take(path: string, us: string, onStep: (step: LockStep) => void, makesParents: boolean): boolean {
  if (isForeign(path) || !breakIfDead(path, onStep)) return false;
  makeFolder(dirname(path), makesParents);
  const aside = `${path}.${us}`;
  try {
    mkdirSync(aside, { mode: 0o700 });
    writeFileSync(join(aside, us), "", { mode: 0o600 });
    onStep("prepared");
    return moveFile(aside, path);
  } catch (error) {
    // Somebody else was faster, or whoever had it before took the empty folder along.
    if (hasErrorCode(error, "ENOTEMPTY", "EEXIST", "ENOENT", "ENOTDIR")) return false;
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

/** False if its owner lives. */
function breakIfDead(path: string, onStep: (step: LockStep) => void): boolean {
  for (const owner of namesIn(path)) {
    if (isProcessAlive(owner)) return false;
    onStep("found dead");
    rmSync(join(path, owner), { force: true });
    onStep("broken");
  }
  return true;
}

/** With the folders it lay in, if nothing else does: a lock leaves no trace. */
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
    // Somebody has use for it.
  }
}

function isForeign(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return false;
  return !found.isDirectory() || namesIn(path).some((name) => !OWNER.test(name));
}

/** An empty file, a pipe or a link is removed; a folder may hold what somebody needs and is only moved out of the way. */
function breakForeign(path: string, watchedMs: number): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found || Math.max(watchedMs, Date.now() - found.mtimeMs) < FOREIGN_FOR_MS) return;
  const aside = `${path}.${process.pid}.foreign`;
  if (moveFile(path, aside) && !found.isDirectory()) rmSync(aside, { force: true });
}

/** Whoever dies on the way to a lock leaves the folder that was to become it. */
function removeLeftovers(path: string): void {
  const beginning = `${basename(path)}.`;
  for (const name of namesIn(dirname(path))) {
    const owner = name.slice(beginning.length);
    if (!name.startsWith(beginning) || !/^\d+-/.test(owner) || isProcessAlive(owner)) continue;
    rmSync(join(dirname(path), name), { recursive: true, force: true });
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
