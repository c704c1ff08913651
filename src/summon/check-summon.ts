/** What is looked at before an army is opened: what prevents it, where its other roles are, and trust in the folder. */
import { programNeeded, type AgentProgram } from "../agent/agent-program.ts";
import { ROLES } from "../army/roles.ts";
import type { AgentName } from "../army/words.ts";
import { confirm, printProblems, sayLine, type CommandContext } from "../command/command-context.ts";
import { formatError } from "../i18n/sentences.ts";
import { cleanLine } from "../system/clean-text.ts";
import type { ErrorReport } from "../system/ovld-error.ts";
import { whyNotMakeFolder } from "../system/paths.ts";
import type { FileProblem } from "../system/read-file.ts";
import { findProgram } from "../system/run-program.ts";
import { serverState } from "../zellij/session-record.ts";
import { isArmyHeld, zellijProblems, type Army } from "./army.ts";
import { partOfMachine } from "./other-machines.ts";
import { isArmyRunning } from "./processes.ts";

/** What the person asked for. */
export interface SummonFlags {
  army?: string;
  agent?: AgentName;
  resume: boolean;
  fresh: boolean;
  detached: boolean;
  /** A folder of rituals other than the person's own. */
  rituals?: string;
  noRituals: boolean;
  dryRun: boolean;
  json: boolean;
}

/** Checks everything that could fail before anything is created, so that all problems are reported at once. */
export async function findProblems(
  context: CommandContext,
  army: Army,
  agent: AgentProgram,
): Promise<ErrorReport[]> {
  const problems = zellijProblems(army);
  // Its agents are already running, so nothing will be created.
  if (problems.length === 0 && serverState(army.zellij) === "alive") return [];
  problems.push(...(await agentProblems(context, army, agent)));
  const blocked = whyNotMakeFolder(army.relayDir);
  if (blocked) problems.push({ code: "not-writable", facts: blocked });
  return problems;
}

async function agentProblems(
  { env }: CommandContext,
  { settings }: Army,
  agent: AgentProgram,
): Promise<ErrorReport[]> {
  const needed = programNeeded(settings, agent);
  if (needed === undefined) return [];
  const program = findProgram(needed, env["PATH"]);
  if (program === undefined) return [{ code: "agent-missing", facts: { program: needed } }];
  const old = await agent.checks?.tooOld(program, env);
  return old === undefined ? [] : [{ code: "agent-too-old", facts: { agent: agent.title, program, ...old } }];
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
