/** Plans what an army consists of, and finds what prevents it; creates nothing. */
import { dirname } from "node:path";
import type { AgentProgram } from "../agent/agent-program.ts";
import { programNeeded } from "../agent/agents.ts";
import type { ArmyPart, ArmyPlan } from "../agent/army-files.ts";
import type { Environment } from "../config/environment.ts";
import { hubFolder } from "../config/folders.ts";
import { insightFolder } from "../config/insight-folder.ts";
import { NO_KEY } from "../config/desk-key.ts";
import { wishesFor } from "../config/settings.ts";
import { makeSecrets, readSecrets, type RoleSecrets } from "../mail/secrets.ts";
import { whyNotMakeFolder } from "../system/can-make-folder.ts";
import { findProgram } from "../system/find-program.ts";
import type { ErrorReport } from "../system/ovld-error.ts";
import { resolveLinks } from "../system/resolve-links.ts";
import type { Rituals } from "../rituals/load-rituals.ts";
import { chooseKey } from "../zellij/choose-key.ts";
import { serverState } from "../zellij/session-record.ts";
import { zellijProblems, type Army } from "./army.ts";
import { partOfMachine } from "./membership-files.ts";
import type { CommandContext } from "../command/command-context.ts";

interface ArmyChoice {
  agent: AgentProgram;
  rituals: Rituals;
  secrets?: RoleSecrets;
}

export async function planArmy(
  context: CommandContext,
  army: Army,
  { agent, rituals, secrets = readSecrets(army.relayDir) ?? makeSecrets() }: ArmyChoice,
): Promise<ArmyPlan> {
  const { session, relayDir, archiveDir, zellij, settings } = army;
  const needs = programNeeded(army.settings, agent) ?? context.ovld.node;
  const agentProgram = findProgram(needs, context.env["PATH"]) ?? needs;
  const { cwd, ovld } = context;
  return {
    session,
    relayDir,
    archiveDir,
    cwd,
    agent,
    agentProgram,
    ovld,
    language: context.texts.language,
    zellij: zellij.program,
    wake: settings.wake,
    focus: settings.rituals.focus,
    carry: settings.bell.carry,
    desk: settings.desk,
    statusKey: await statusKeyOf(army),
    limits: settings.limits,
    secrets,
    // An agent might ask for permission for every file that it reaches through a link.
    insightDir: resolveLinks(insightFolder(context.env, () => cwd)),
    rituals,
    wishesOf: (role) => wishesFor(settings, role),
    part: planPart(context.env, session),
  };
}

/** Undefined for an army on one machine. */
function planPart(env: Environment, session: string): ArmyPart | undefined {
  const part = partOfMachine(env, session);
  if (part === undefined) return undefined;
  const { path, membership, roles } = part;
  const hidden = [dirname(path), hubFolder(env)];
  return { machine: membership.machine, roles, hubFile: path, hidden };
}

/** Undefined if the person wants none, or if it would take one of their own keys away; the doctor says which. */
async function statusKeyOf({ zellij, settings }: Army): Promise<string | undefined> {
  const { key } = settings.desk;
  const choice = key === NO_KEY ? undefined : await chooseKey(zellij, key);
  return choice?.is === "free" ? key : undefined;
}

/** Checks everything that could fail before anything is created, so that all problems are reported at once. */
export function findProblems(context: CommandContext, army: Army, agent: AgentProgram): ErrorReport[] {
  const problems = zellijProblems(army);
  // Its agents are already running, so nothing will be created.
  if (problems.length === 0 && serverState(army.zellij) === "alive") return [];
  const program = programNeeded(army.settings, agent);
  if (program !== undefined && findProgram(program, context.env["PATH"]) === undefined) {
    problems.push({ code: "agent-missing", facts: { program } });
  }
  const blocked = whyNotMakeFolder(army.relayDir);
  if (blocked) problems.push({ code: "not-writable", facts: blocked });
  return problems;
}
