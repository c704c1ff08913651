/**
 * Keeps calls of Zellij that see all sessions away from those that are only just being made.
 *
 * Such a call knocks at every socket there is and removes those that refuse. One that was made a moment ago does not
 * answer yet, and its session would be lost for ever. So whoever makes a session holds a lock beside the sockets until
 * it answers, one at a time, and whoever has to see all sessions waits for that. Calls for one session see no other
 * (session-view.ts) and need not wait.
 */
import { join } from "node:path";
import { isLocked, removeDeadLock, withLock } from "../system/lock-file.ts";
import { pause } from "../system/pause.ts";
import { socketFolder, START_FOLDER, START_LOCK } from "./socket.ts";
import { expectOwnSockets } from "./socket-owner.ts";
import type { Zellij } from "./zellij.ts";

/** What was asked of Zellij before the lock was taken is answered by then. */
const LAST_CALLS_MS = 100;
const PATIENCE_MS = 20_000;
const LOOK_EVERY_MS = 25;

/** `made` is to be called as soon as the session answers. */
export async function whileStarting<Result>(
  zellij: Zellij,
  stop: AbortSignal,
  start: (made: () => void) => Promise<Result>,
): Promise<Result> {
  return withLock(lockOf(zellij), stop, async (made) => {
    await pause(LAST_CALLS_MS, stop);
    return start(made);
  });
}

export async function untilNobodyStarts(zellij: Zellij): Promise<void> {
  const lock = lockOf(zellij);
  const until = Date.now() + PATIENCE_MS;
  while (isLocked(lock) && Date.now() < until) await pause(LOOK_EVERY_MS, zellij.stop);
  removeDeadStart(zellij);
}

/** Removes what a summon left that was killed over it. */
export function removeDeadStart(zellij: Zellij): void {
  removeDeadLock(lockOf(zellij));
}

function lockOf(zellij: Zellij): string {
  expectOwnSockets(zellij);
  // The folder goes when the lock is given back, and that of the sockets stays.
  return join(socketFolder(zellij), START_FOLDER, START_LOCK);
}
