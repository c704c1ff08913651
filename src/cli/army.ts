/** One army as commands handle it: its name, its folder, and the Zellij it lives in. */
import { isSessionName } from "../army/session-name.ts";
import { environmentForArmy } from "../config/environment.ts";
import { findZellij } from "../config/find-zellij.ts";
import { relayFolder } from "../config/folders.ts";
import { removeArmyFiles } from "../agent/army-files.ts";
import { openMail } from "../mail/mail.ts";
import { withLock } from "../system/lock-file.ts";
import { OvldError, type ErrorReport } from "../system/ovld-error.ts";
import { roomForSessionName } from "../zellij/socket.ts";
import { checkZellij, OLDEST_ZELLIJ } from "../zellij/version.ts";
import type { Zellij } from "../zellij/zellij.ts";
import type { Machine } from "./machine.ts";

export interface Army {
  session: string;
  relayDir: string;
  zellij: Zellij;
}

/** Throws if the name cannot be a session's; the Zellij may still be missing or too old. */
export function armyOf({ env }: Machine, session: string): Army {
  if (!isSessionName(session)) throw new OvldError({ code: "session-name-wrong", facts: { name: session } });
  const program = findZellij(env) ?? "zellij";
  return { session, relayDir: relayFolder(env, session), zellij: { program, env: environmentForArmy(env) } };
}

/** What keeps Zellij from holding a session of this name. */
export async function zellijProblems({ session, zellij }: Army): Promise<ErrorReport[]> {
  const problems: ErrorReport[] = [];
  const found = await checkZellij(zellij);
  if (found === "missing") problems.push({ code: "zellij-missing", facts: { oldest: OLDEST_ZELLIJ } });
  else if (!found.fits) {
    const facts = { program: zellij.program, version: found.version, oldest: OLDEST_ZELLIJ };
    problems.push({ code: "zellij-too-old", facts });
  }
  const limit = roomForSessionName(zellij);
  if (session.length > limit)
    problems.push({ code: "session-name-too-long", facts: { name: session, limit } });
  return problems;
}

/**
 * One command at a time deals with an army: two summons must not both make its session, and nobody may call
 * Zellij while another starts it.
 */
export function holdingArmy<Result>(
  { relayDir }: Army,
  stop: AbortSignal,
  action: (release: () => void) => Promise<Result>,
): Promise<Result> {
  return withLock(`${relayDir}.lock`, stop, action);
}

/** Removes what the army kept on disk; returns what somebody else had put there. */
export function removeArmy({ relayDir }: Army): string[] {
  removeArmyFiles(relayDir);
  return openMail(relayDir).cleanUp().left;
}
