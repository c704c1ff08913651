/** Which armies there are, by the folders they keep. */
import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { DEFAULT_SESSION } from "../army/session-name.ts";
import type { Environment } from "../config/environment.ts";
import { relayFolder } from "../config/folders.ts";
import { openMail } from "../mail/mail.ts";
import { isLocked } from "../system/lock-file.ts";

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
  const others = folderOfOthers(env);
  const locks = namesIn(others).filter((name) => name.endsWith(".lock"));
  return isLocked(armyLock(env, DEFAULT_SESSION)) || locks.some((name) => isLocked(join(others, name)));
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
