/** Before the agents start, asks whether their program may trust this folder. Only the person decides that. */
import { isArmyRunning } from "./processes.ts";
import type { AgentProgram } from "../agent/agent-program.ts";
import { cleanLine } from "../system/clean-text.ts";
import type { FileProblem } from "../system/read-file.ts";
import { holdingArmy, type Army } from "./army.ts";
import { confirm } from "../command/confirm.ts";
import { sayLine, printProblems, type CommandContext } from "../command/command-context.ts";

export interface TrustOptions {
  agent: AgentProgram;
  /** Whether the person may be asked. */
  ask: boolean;
}

/** Asks on a terminal; otherwise says that each agent will ask. Summoning continues either way. */
export async function offerTrust(
  context: CommandContext,
  army: Army,
  { agent, ask }: TrustOptions,
): Promise<void> {
  const trust = agent.trusts?.(context.env, context.cwd) ?? { is: "trusted" };
  if (trust.is === "trusted" || (await isOpen(context, army))) return;
  if (trust.is === "unknown") return tellOfFile(context, trust.file, trust.problem);
  const { folder, file } = trust;
  const texts = context.texts.rituals;
  const store = ask && context.hasTerminal ? trust.store : undefined;
  if (store && (await confirm(context, texts.askForTrust(cleanLine(folder))))) {
    const result = await store();
    if ("stored" in result) return sayLine(context, cleanLine(texts.trusted(folder, file)));
    tellOfFile(context, file, result.problem);
  }
  context.print("stderr", `${cleanLine(texts.agentsWillAsk(folder))}\n`);
}

function tellOfFile(context: CommandContext, path: string, problem: FileProblem): void {
  printProblems(context, [{ code: "file-unfit", facts: { path, problem } }]);
}

/** A summon that only attaches starts no agents. Another summon may be creating the session right now. */
function isOpen(context: CommandContext, army: Army): Promise<boolean> {
  return holdingArmy(context, army, () => Promise.resolve(isArmyRunning(army)));
}
