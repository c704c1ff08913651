/** Plans what an army consists of, from the person's settings and folders; creates nothing. */
import { dirname, relative } from "node:path";
import { programNeeded, type AgentProgram } from "../agent/agent-program.ts";
import { EXIT } from "../army/errors.ts";
import { DEFAULT_SESSION } from "../army/words.ts";
import { printProblems, sayJson, sayLine, type CommandContext } from "../command/command-context.ts";
import { NO_KEY } from "../config/config-file.ts";
import {
  archiveFolder,
  configFilePath,
  configFolder,
  deskFolder,
  hubFolder,
  membershipPath,
  relayFolder,
  ritualsFolder,
  insightFolder,
} from "../config/folders.ts";
import type { LoadedRituals, Rituals } from "../rituals/load-rituals.ts";
import { cleanLine } from "../system/clean-text.ts";
import { OvldError } from "../system/ovld-error.ts";
import { resolveLinks } from "../system/paths.ts";
import { findProgram, type Environment } from "../system/run-program.ts";
import { shellWord } from "../system/text.ts";
import { creationArgs } from "../zellij/sessions.ts";
import { chooseKey } from "../zellij/status-key.ts";
import {
  listArmyFiles,
  makeSecrets,
  planArmyFiles,
  type ArmyFiles,
  type OwnPaths,
  type RoleSecrets,
} from "./army-files.ts";
import type { Army } from "./army.ts";
import { partOfMachine } from "./other-machines.ts";

interface ArmyChoice {
  agent: AgentProgram;
  rituals: Rituals;
  secrets?: RoleSecrets;
}

export async function planArmy(
  context: CommandContext,
  army: Army,
  { agent, rituals, secrets = makeSecrets() }: ArmyChoice,
): Promise<ArmyFiles> {
  const { session, relayDir, zellij, settings } = army;
  const needs = programNeeded(army.settings, agent) ?? context.ovld.node;
  const agentProgram = findProgram(needs, context.env["PATH"]) ?? needs;
  const { cwd, ovld } = context;
  return planArmyFiles({
    session,
    relayDir,
    own: ownPaths(context.env, settings.hub.creds),
    cwd,
    agent,
    agentProgram,
    ovld,
    language: context.texts.language,
    zellij: zellij.program,
    settings,
    statusKey: await statusKeyOf(army),
    secrets,
    insightDir: notesFolder(context.env, cwd),
    rituals,
    part: partOfMachine(context, session),
  });
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

/** Undefined if the person wants none, or if it would take one of their own keys away; the doctor says which. */
async function statusKeyOf({ zellij, settings }: Army): Promise<string | undefined> {
  const { key } = settings.desk;
  const choice = key === NO_KEY ? undefined : await chooseKey(zellij, key);
  return choice?.is === "free" ? key : undefined;
}

interface ShownPlan {
  agent: AgentProgram;
  rituals: LoadedRituals;
  where: "terminal" | "background";
  json: boolean;
}

/** What a summon would write and run; returns the exit code. */
export async function printPlan(
  context: CommandContext,
  army: Army,
  { agent, rituals, where, json }: ShownPlan,
): Promise<number> {
  // What is only shown must not give the secrets away.
  const secrets = makeSecrets(() => "(secret)");
  const files = await planArmy(context, army, { agent, rituals: rituals.texts, secrets });
  if (rituals.problems.length > 0) return printProblems(context, rituals.problems);
  const { zellij, session, relayDir } = army;
  const command = [zellij.program, ...creationArgs(session, files.layout.path, where)];
  const sources = rituals.sources.filter(({ role }) => files.roles.includes(role));
  if (json) {
    sayJson(context, { session, relayDir, files: listArmyFiles(files), rituals: sources, command }, 2);
    return EXIT.done;
  }
  const texts = context.texts.session;
  for (const { path, content } of listArmyFiles({ ...files, rituals: [] })) {
    sayLine(context, `${texts.wouldWrite(cleanLine(path))}\n${content}`);
  }
  printRitualSources(context, sources);
  sayLine(context, texts.wouldRun(command.map(shellWord).join(" ")));
  return EXIT.done;
}

function printRitualSources(context: CommandContext, sources: LoadedRituals["sources"]): void {
  const texts = context.texts.rituals;
  if (sources.length === 0) sayLine(context, texts.none);
  for (const { role, path, startsAs } of sources) {
    const line = startsAs === undefined ? texts.wouldUse(role, path) : texts.wouldFill(role, path, startsAs);
    sayLine(context, cleanLine(line));
  }
}
