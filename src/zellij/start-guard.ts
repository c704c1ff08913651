/**
 * Keeps Zellij calls that see all sessions away from sessions that are just starting.
 *
 * Such a call connects to every socket and removes those that refuse. A new socket does not answer yet, and its
 * session would be lost for good. So a process that creates a session holds a lock next to the sockets until the
 * session answers, one process at a time, and calls that see all sessions wait for it. Calls for one session see no
 * other (session-view.ts) and need not wait.
 */
import { join } from "node:path";
import { isLocked, removeDeadLock, withLock } from "../system/lock-file.ts";
import { pause } from "../system/async.ts";
import { socketFolder, START_FOLDER, START_LOCK } from "./socket.ts";
import { expectOwnSockets } from "./socket-owner.ts";
import type { Zellij } from "./zellij.ts";
import {
  EARLIER_CALLS_ANSWERED_WITHIN_MS,
  START_GUARD_WITHIN_MS,
  LOOK_AT_START_GUARD_EVERY_MS,
} from "./timings.ts";

/** Call `made` as soon as the session answers. */
export async function whileStarting<Result>(
  zellij: Zellij,
  stop: AbortSignal,
  start: (made: () => void) => Promise<Result>,
): Promise<Result> {
  return withLock(lockOf(zellij), stop, async (made) => {
    await pause(EARLIER_CALLS_ANSWERED_WITHIN_MS, stop);
    return start(made);
  });
}

export async function untilNobodyStarts(zellij: Zellij): Promise<void> {
  const lock = lockOf(zellij);
  const until = performance.now() + START_GUARD_WITHIN_MS;
  while (isLocked(lock) && performance.now() < until) await pause(LOOK_AT_START_GUARD_EVERY_MS, zellij.stop);
  removeDeadStart(zellij);
}

/** Removes the lock of a summon that was killed while it held it. */
export function removeDeadStart(zellij: Zellij): void {
  removeDeadLock(lockOf(zellij));
}

function lockOf(zellij: Zellij): string {
  expectOwnSockets(zellij);
  // Releasing the lock removes its folder, while the folder of the sockets stays.
  return join(socketFolder(zellij), START_FOLDER, START_LOCK);
}
