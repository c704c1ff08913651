/** Plans what an army consists of, and finds what prevents it; creates nothing. */
import { dirname, relative } from "node:path";
import { type AgentProgram, programNeeded } from "../agent/agent-program.ts";
import type { ArmyPart, ArmyPlan, OwnPaths } from "./army-files.ts";
import { DEFAULT_SESSION } from "../army/words.ts";
import { NO_KEY } from "../config/config-file.ts";
import { type Environment, findProgram } from "../system/run-program.ts";
import {
  archiveFolder,
  configFolder,
  deskFolder,
  hubFolder,
  membershipPath,
  relayFolder,
  ritualsFolder,
  configFilePath,
} from "../config/folders.ts";
import { insightFolder } from "../config/insight-folder.ts";
import { wishesFor } from "../config/settings.ts";
import { makeSecrets, type RoleSecrets } from "./plan-relay.ts";
import { resolveLinks, whyNotMakeFolder } from "../system/paths.ts";
import { OvldError, type ErrorReport } from "../system/ovld-error.ts";
import type { Rituals } from "../rituals/load-rituals.ts";
import { chooseKey } from "../zellij/status-key.ts";
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
  { agent, rituals, secrets = makeSecrets() }: ArmyChoice,
): Promise<ArmyPlan> {
  const { session, relayDir, zellij, settings } = army;
  const needs = programNeeded(army.settings, agent) ?? context.ovld.node;
  const agentProgram = findProgram(needs, context.env["PATH"]) ?? needs;
  const { cwd, ovld } = context;
  return {
    session,
    relayDir,
    own: ownPaths(context.env, settings.hub.creds),
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
    insightDir: notesFolder(context.env, cwd),
    rituals,
    wishesOf: (role) => wishesFor(settings, role),
    part: planPart(context.env, session),
  };
}

function ownPaths(env: Environment, creds: string | undefined): OwnPaths {
  const armies = [DEFAULT_SESSION, "*"].map((session) => relayFolder(env, session));
  const joined = dirname(membershipPath(env, DEFAULT_SESSION));
  const secret = [
    archiveFolder(env),
    hubFolder(env),
    joined,
    deskFolder(env),
    ...(creds === undefined ? [] : [creds]),
  ];
  const settings = [configFilePath(env), ritualsFolder(env)];
  // Claude Code compares the path that it is given and the file that it really leads to.
  return {
    armies: armies.map(resolveLinks),
    secret: secret.map(resolveLinks),
    settings: settings.map(resolveLinks),
  };
}

/** Agents read and write it without asking, so it must hold nothing but notes. */
function notesFolder(env: Environment, cwd: string): string {
  // An agent might ask for permission for every file that it reaches through a link.
  const folder = resolveLinks(insightFolder(env, () => cwd));
  const others = [env["HOME"] || cwd, cwd, configFolder(env)].map(resolveLinks);
  if (!others.some((other) => relative(folder, other).split("/")[0] !== "..")) return folder;
  const [variable, expected] = ["OVLD_INSIGHT_DIR", "a folder for notes alone"] as const;
  throw new OvldError({ code: "env-wrong", facts: { variable, value: folder, expected } });
}

/** Undefined for an army on one machine. */
function planPart(env: Environment, session: string): ArmyPart | undefined {
  const part = partOfMachine(env, session);
  if (part === undefined) return undefined;
  const { path, membership, roles } = part;
  return { machine: membership.machine, roles, hubFile: path };
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
