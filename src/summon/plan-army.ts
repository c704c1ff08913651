/**
 * What is looked at and planned before an army is opened: what prevents it, where its other roles are, trust in the folder,
 * and its files, from the person's settings and folders. Creates nothing.
 */
import { dirname, relative } from "node:path";
import { programNeeded, type AgentProgram } from "../agent/agent-program.ts";
import { EXIT } from "../army/errors.ts";
import { perRole, ROLES } from "../army/roles.ts";
import { DEFAULT_SESSION, type AgentName } from "../army/words.ts";
import { confirm, printProblems, sayJson, sayLine, type CommandContext } from "../command/command-context.ts";
import * as folders from "../config/folders.ts";
import { NO_KEY } from "../config/settings.ts";
import { formatError } from "../i18n/sentences.ts";
import { joinRituals, type LoadedRituals, type Rituals } from "../rituals/load-rituals.ts";
import { cleanLine } from "../system/clean-text.ts";
import { OvldError, type ErrorReport } from "../system/ovld-error.ts";
import { resolveLinks, whyNotMakeFolder } from "../system/paths.ts";
import type { FileProblem } from "../system/read-file.ts";
import { findProgram, type Environment } from "../system/run-program.ts";
import { shellWord } from "../system/text.ts";
import type { WorkRecord } from "../work/work.ts";
import { serverState } from "../zellij/session-record.ts";
import { creationArgs } from "../zellij/sessions.ts";
import { chooseKey } from "../zellij/status-key.ts";
import { zellijProblems } from "../zellij/version.ts";
import {
  ATTRIBUTES_VARIABLE,
  listArmyFiles,
  makeSecrets,
  planArmyFiles,
  type ArmyFiles,
  type OwnPaths,
} from "./army-files.ts";
import { isArmyHeld, partOfMachine, type Army } from "./army.ts";
import { isArmyRunning } from "./processes.ts";

export interface SummonFlags {
  army?: string;
  agent?: AgentName;
  resume: boolean;
  fresh: boolean;
  detached: boolean;
  /** A folder of rituals other than the person's own. */
  rituals?: string;
  noRituals: boolean;
  trees: boolean;
  dryRun: boolean;
  /** The person is asked nothing: Zellij is provided, and everything else is left as it is. */
  yes: boolean;
  json: boolean;
}

/** Checks everything that could fail before anything is created, so that all problems are reported at once. */
export async function findProblems(
  { env }: CommandContext,
  army: Army,
  agent: AgentProgram,
): Promise<ErrorReport[]> {
  const problems = zellijProblems(army);
  // Its agents are already running, so nothing will be created.
  if (problems.length === 0 && serverState(army.zellij) === "alive") return [];
  const needed = programNeeded(army.settings, agent);
  const program = needed && findProgram(needed, env["PATH"]);
  if (program) {
    const old = await agent.checks?.tooOld(program, env);
    if (old) problems.push({ code: "agent-too-old", facts: { agent: agent.title, program, ...old } });
  } else if (needed) problems.push({ code: "agent-missing", facts: { program: needed } });
  const blocked = whyNotMakeFolder(army.relayDir);
  if (blocked) problems.push({ code: "not-writable", facts: blocked });
  return problems;
}

/**
 * For an army on several machines: what keeps its roles here from being opened. A hub that does not answer does not:
 * mail to other machines waits until it does. Says where the other roles are.
 */
export async function checkMachines(
  context: CommandContext,
  { session, zellij }: Army,
): Promise<ErrorReport[]> {
  const { texts, json, print } = context;
  const part = partOfMachine(context, session);
  if (part === undefined || serverState(zellij) === "alive") return [];
  const { unreachable, problem, roles: heard } = await part.lookAtArmy(new Date(context.now()));
  if (problem !== undefined) return [problem];
  if (unreachable !== undefined) {
    print("stderr", `ovld: ${formatError(unreachable, texts)} ${texts.machines.mailWaits}\n`);
  }
  if (json) return [];
  sayLine(context, texts.machines.here(part.machine, part.roles.join(", ")));
  const elsewhere = ROLES.filter((role) => !part.roles.includes(role)).map((role) => {
    const machine = heard.find((each) => each.role === role)?.machine;
    return machine === undefined ? texts.machines.notHeard(role) : texts.machines.elsewhere(role, machine);
  });
  if (elsewhere.length > 0) sayLine(context, elsewhere.join(" "));
  return [];
}

/**
 * Before the agents start, asks whether their program may trust this folder. Only the person decides that.
 * Asks on a terminal; otherwise says that each agent will ask. Summoning continues either way.
 */
export async function offerTrust(
  context: CommandContext,
  army: Army,
  { agent, ask }: { agent: AgentProgram; ask: boolean },
): Promise<void> {
  const trust = agent.trusts?.(context.env, context.cwd) ?? { is: "trusted" };
  // A summon that only attaches starts no agents. Another command may be creating the session right now.
  if (trust.is === "trusted" || isArmyRunning(army) || isArmyHeld(army.relayDir)) return;
  if (trust.is === "unknown") return printFileProblem(context, trust.file, trust.problem);
  const { folder, file } = trust;
  const texts = context.texts.rituals;
  const store = ask && context.hasTerminal ? trust.store : undefined;
  if (store && (await confirm(context, texts.askForTrust(agent.title, cleanLine(folder))))) {
    const result = await store();
    if ("stored" in result) return sayLine(context, cleanLine(texts.trusted(folder, file)));
    printFileProblem(context, file, result.problem);
  }
  context.print("stderr", `${cleanLine(texts.agentsWillAsk(folder))}\n`);
}

function printFileProblem(context: CommandContext, path: string, problem: FileProblem): void {
  printProblems(context, [{ code: "file-unfit", facts: { path, problem } }]);
}

export async function planArmy(
  context: CommandContext,
  army: Army,
  { agent, rituals, work }: { agent: AgentProgram; rituals: Rituals; work?: WorkRecord | undefined },
  secrets = makeSecrets(),
): Promise<ArmyFiles> {
  const { session, relayDir, zellij, settings } = army;
  const { cwd, env, ovld, texts } = context;
  const { key } = settings.desk;
  const needs = programNeeded(settings, agent) ?? ovld.node;
  // The person may want no key, or it would take one of their own away; the doctor says which.
  const hasKey = key !== NO_KEY && (await chooseKey(zellij, key)).is === "free";
  return planArmyFiles({
    session,
    relayDir,
    own: ownPaths(env, settings.hub.creds),
    cwd,
    work,
    path: env["PATH"],
    attributes: agent.variable(ATTRIBUTES_VARIABLE, env, cwd),
    agent,
    agentProgram: findProgram(needs, env["PATH"]) ?? needs,
    ovld,
    language: texts.language,
    zellij: zellij.program,
    settings,
    statusKey: hasKey ? key : undefined,
    secrets,
    insightDir: notesFolder(env, cwd),
    rituals,
    part: partOfMachine(context, session),
  });
}

/** Claude Code compares the path that it is given and the file that it really leads to, so links are resolved. */
function ownPaths(env: Environment, creds: string | undefined): OwnPaths {
  const armies = [DEFAULT_SESSION, "*"].map((session) => folders.relayFolder(env, session));
  const joined = dirname(folders.membershipPath(env, DEFAULT_SESSION));
  const secret = [folders.archiveFolder(env), folders.hubFolder(env), joined, folders.deskFolder(env)];
  return {
    armies: armies.map(resolveLinks),
    secret: [...secret, ...(creds === undefined ? [] : [creds])].map(resolveLinks),
    settings: [folders.configFilePath(env), folders.ritualsFolder(env)].map(resolveLinks),
  };
}

/** Agents read and write it without asking, so it must hold nothing but notes. */
function notesFolder(env: Environment, cwd: string): string {
  // An agent might ask for permission for every file that it reaches through a link.
  const folder = resolveLinks(folders.insightFolder(env, () => cwd));
  const others = [env["HOME"] || cwd, cwd, folders.configFolder(env)].map(resolveLinks);
  if (!others.some((other) => relative(folder, other).split("/")[0] !== "..")) return folder;
  const [variable, expected] = ["OVLD_INSIGHT_DIR", "a folder for notes alone"] as const;
  throw new OvldError({ code: "env-wrong", facts: { variable, value: folder, expected } });
}

/** What a summon would write and run; returns the exit code. */
export async function printPlan(
  context: CommandContext,
  army: Army,
  { agent, rituals, work }: { agent: AgentProgram; rituals: LoadedRituals; work: WorkRecord | undefined },
  { where, json }: { where: "terminal" | "background"; json: boolean },
): Promise<number> {
  // What is only shown must not give the secrets away.
  const secrets = perRole(() => "(secret)");
  const planned = { agent, rituals: joinRituals(rituals, work), work };
  const files = await planArmy(context, army, planned, secrets);
  if (rituals.problems.length > 0) return printProblems(context, rituals.problems);
  const { zellij, session, relayDir } = army;
  const command = [zellij.program, ...creationArgs(session, files.layout.path, where)];
  const sources = rituals.sources.filter(({ role }) => files.roles.includes(role));
  if (json) {
    sayJson(context, { session, relayDir, files: listArmyFiles(files), rituals: sources, command }, 2);
    return EXIT.done;
  }
  const { wouldWrite, wouldRun } = context.texts.session;
  for (const { path, content } of listArmyFiles({ ...files, rituals: [] })) {
    sayLine(context, `${wouldWrite(cleanLine(path))}\n${content}`);
  }
  const { none, wouldUse, wouldFill } = context.texts.rituals;
  if (sources.length === 0) sayLine(context, none);
  for (const { role, path, startsAs } of sources) {
    sayLine(
      context,
      cleanLine(startsAs === undefined ? wouldUse(role, path) : wouldFill(role, path, startsAs)),
    );
  }
  sayLine(context, wouldRun(command.map(shellWord).join(" ")));
  return EXIT.done;
}
