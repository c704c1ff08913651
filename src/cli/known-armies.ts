/** Which armies there are, by the folders they keep. */
import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { DEFAULT_SESSION } from "../army/session-name.ts";
import type { Environment } from "../config/environment.ts";
import { relayFolder } from "../config/folders.ts";
import { openMail } from "../mail/mail.ts";

/** Every army that has a folder. */
export function knownArmies(env: Environment): string[] {
  const ours = relayFolder(env, DEFAULT_SESSION);
  const others = dirname(relayFolder(env, "other"));
  return [
    ...(existsSync(ours) ? [DEFAULT_SESSION] : []),
    ...namesIn(others).filter((name) => openMail(join(others, name)).exists()),
  ];
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch {
    return [];
  }
}
