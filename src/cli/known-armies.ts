/** Which armies there are, by the folders they keep. */
import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { DEFAULT_SESSION } from "../army/session-name.ts";
import type { Environment } from "../config/environment.ts";
import { relayFolder } from "../config/folders.ts";
import { openMail } from "../mail/mail.ts";
import { isLocked, isLockedBefore, LOCK_MOMENT_MS } from "../system/lock-file.ts";
import { pause } from "../system/pause.ts";

/** Every army that has a folder. */
export function knownArmies(env: Environment): string[] {
  const ours = relayFolder(env, DEFAULT_SESSION);
  const others = folderOfOthers(env);
  return [
    ...(existsSync(ours) ? [DEFAULT_SESSION] : []),
    ...namesIn(others).filter((name) => openMail(join(others, name)).exists()),
  ];
}

/** While a session starts, nobody may call Zellij: it would remove a socket that does not answer yet. */
export function isAnyArmyStarting(env: Environment): boolean {
  return armyLocks(env).some(isLocked);
}

const STARTED_WITHIN_MS = 10_000;
const LOOK_EVERY_MS = 50;

/**
 * Waits until whoever came before us is done with another army, which may be starting; those who come later wait for
 * us. Not for ever: an army that takes that long to start is better disturbed than one that can never be ended.
 */
export async function waitForOtherArmies(env: Environment, ours: string, stop: AbortSignal): Promise<void> {
  const until = Date.now() + STARTED_WITHIN_MS;
  const others = (): string[] => armyLocks(env).filter((lock) => lock !== ours);
  await pause(LOCK_MOMENT_MS, stop);
  while (Date.now() < until && others().some((lock) => isLockedBefore(lock, ours))) {
    stop.throwIfAborted();
    await pause(LOOK_EVERY_MS, stop);
  }
}

function armyLocks(env: Environment): string[] {
  const others = folderOfOthers(env);
  const locks = namesIn(others).filter((name) => name.endsWith(".lock"));
  return [armyLock(env, DEFAULT_SESSION), ...locks.map((name) => join(others, name))];
}

export function armyLock(env: Environment, session: string): string {
  return `${relayFolder(env, session)}.lock`;
}

function folderOfOthers(env: Environment): string {
  return dirname(relayFolder(env, "other"));
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch {
    return [];
  }
}
