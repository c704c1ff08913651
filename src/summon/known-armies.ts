/** Finds the existing armies by their folders. */
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { DEFAULT_SESSION, isSessionName } from "../army/words.ts";
import type { Environment } from "../system/run-program.ts";
import { relayFolder } from "../config/folders.ts";
import { openMail } from "../mail/mail.ts";

/** Every army that has a store; other folders that were left or copied there do not count. */
export function knownArmies(env: Environment): string[] {
  const ours = relayFolder(env, DEFAULT_SESSION);
  const others = dirname(relayFolder(env, "other"));
  return [
    ...(openMail(ours).exists() ? [DEFAULT_SESSION] : []),
    ...namesIn(others).filter((name) => isSessionName(name) && openMail(join(others, name)).exists()),
  ];
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch {
    return [];
  }
}
