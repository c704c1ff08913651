/** Who runs a command, the person or an agent, and the army that it is about. */
import { agentIn, isAgentCommand, isMarkedByAgent } from "../agent/army-process.ts";
import { isRole, ROLES, type Role } from "../army/roles.ts";
import type { CommandContext } from "../command/command-context.ts";
import { archiveFolder, configFilePath, relayFolder } from "../config/folders.ts";
import { readSettings, type Settings } from "../config/settings.ts";
import { openMail } from "../mail/mail.ts";
import { findArchive, isArchiveName } from "../summon/archive/archive.ts";
import { findArmy, knownArmies, type ArmyMail } from "../summon/army.ts";
import { OvldError } from "../system/ovld-error.ts";
import { listAncestors } from "../system/process.ts";
import type { Environment } from "../system/run-program.ts";
import { sessionAround } from "../zellij/session-record.ts";

export interface Runner {
  /** True if an agent, not the person, runs the command. */
  isAgent: boolean;
  /** The agent's role, if it belongs to an army. */
  role: Role | undefined;
}

/**
 * Whether the person or an agent runs this. An agent program marks everything it starts. If that mark was removed,
 * the process is still below one that an army's layout started as an agent.
 */
export function findRunner(env: Environment): Runner {
  const named = env["OVLD_ROLE"] ?? "";
  const role = agentAbove(env) ?? (isRole(named) ? named : undefined);
  return { role, isAgent: Boolean(role || named || isMarkedByAgent(env)) };
}

/** The role below whose agent this runs, in any army. */
function agentAbove(env: Environment): Role | undefined {
  const folders = knownArmies(env).map((session) => relayFolder(env, session));
  for (const { words } of listAncestors()) {
    for (const relayDir of folders) {
      const found = ROLES.find((role) => isAgentCommand(words, { relayDir, role }));
      if (found !== undefined) return found;
    }
    // An army with another configuration folder than the one in the environment, which the agent may have changed.
    const elsewhere = agentIn(words);
    if (elsewhere && openMail(elsewhere.relayDir).exists()) return elsewhere.role;
  }
  return undefined;
}

/** Refuses what only the person may do: to answer what agents ask, and to write as the person. */
export function requirePerson(env: Environment, command: string): void {
  if (findRunner(env).isAgent) throw new OvldError({ code: "agent-may-not-answer", facts: { command } });
}

/** Refuses what ends agents or removes armies, unless the person lets agents do that. */
export function requireRightToEnd(
  env: Environment,
  { agentsMayUnsummon }: Pick<Settings, "agentsMayUnsummon">,
  command: string,
): void {
  if (agentsMayUnsummon || !findRunner(env).isAgent) return;
  throw new OvldError({ code: "agent-may-not-end", facts: { path: configFilePath(env), command } });
}

/** What the journal says about who stores a message with this command. */
export function originOf(env: Environment): { program: "command"; role: Role | undefined } {
  return { program: "command", role: findRunner(env).role };
}

/** The army in whose pane this runs; it is used if no army is named. */
export function armyAround(env: Environment): string | undefined {
  const session = sessionAround(env);
  return session !== undefined && knownArmies(env).includes(session) ? session : undefined;
}

/** The mail of an army that somebody wants to read about; `asked` may also name one in the archive. */
export function mailToRead(context: CommandContext, asked: string | undefined): ArmyMail {
  if (asked === undefined || !isArchiveName(asked)) return mailOfArmy(context, asked);
  const { session, path } = findArchive(archiveFolder(context.env), asked);
  return { session, relayDir: path, mail: openMail(path) };
}

/** The mail of an existing army; looking for it creates nothing. */
export function mailOfArmy({ env }: CommandContext, asked: string | undefined): ArmyMail {
  const { session, relayDir } = findArmy(env, asked ?? armyAround(env) ?? readSettings(env).session);
  const mail = openMail(relayDir);
  if (!mail.exists()) throw new OvldError({ code: "no-army", facts: { session } });
  return { session, relayDir, mail };
}
