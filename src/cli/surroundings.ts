/** Where a command was started: in which army, and by whom. */
import type { Environment } from "../config/environment.ts";
import { relayFolder } from "../config/folders.ts";
import { openMail } from "../mail/mail.ts";
import { listAncestors } from "../system/process-ancestors.ts";
import { identifyProcess } from "../system/process-identity.ts";
import { sessionAround } from "../zellij/session-around.ts";
import { knownArmies } from "./known-armies.ts";

/** The army in one of whose panes this runs: the one that is meant where none is named. */
export function armyAround(env: Environment): string | undefined {
  const session = sessionAround(env);
  return session !== undefined && knownArmies(env).includes(session) ? session : undefined;
}

/**
 * Whether an agent runs this rather than the person. Claude Code says so to whatever it starts; who takes that mark
 * away is still below a process that a relay has announced as its agent.
 */
export function isRunByAgent(env: Environment): boolean {
  if (env["CLAUDECODE"] || env["OVLD_ROLE"]) return true;
  const above = new Set(listAncestors().map(({ pid }) => identifyProcess(pid)));
  return knownArmies(env)
    .flatMap((session) => openMail(relayFolder(env, session)).presences())
    .some(({ agent }) => agent !== undefined && above.has(agent));
}
