/** Where a command was started: in which army, and by whom. */
import { isMarkedByAgent } from "../agent/army-environment.ts";
import { isAgentCommand } from "../agent/army-process.ts";
import { ROLES, type Role } from "../army/roles.ts";
import type { Environment } from "../config/environment.ts";
import { relayFolder } from "../config/folders.ts";
import { listAncestors } from "../system/process-ancestors.ts";
import { sessionAround } from "../zellij/session-around.ts";
import { knownArmies } from "./known-armies.ts";

/** The army in one of whose panes this runs: the one that is meant where none is named. */
export function armyAround(env: Environment): string | undefined {
  const session = sessionAround(env);
  return session !== undefined && knownArmies(env).includes(session) ? session : undefined;
}

export interface Runner {
  /** Not the person. */
  isAgent: boolean;
  /** Whose agent it is, where it is one of an army. */
  role: Role | undefined;
}

/**
 * Who runs this, the person or an agent. An agent program marks whatever it starts; who takes that mark away is still
 * below a process that an army's layout has started as an agent.
 */
export function findRunner(env: Environment): Runner {
  const role = agentAbove(env);
  return { role, isAgent: Boolean(role || isMarkedByAgent(env) || env["OVLD_ROLE"]) };
}

/** The role whose agent this runs below, in whichever army. */
function agentAbove(env: Environment): Role | undefined {
  const folders = knownArmies(env).map((session) => relayFolder(env, session));
  for (const { words } of listAncestors()) {
    for (const relayDir of folders) {
      const found = ROLES.find((role) => isAgentCommand(words, { relayDir, role }));
      if (found !== undefined) return found;
    }
  }
  return undefined;
}
