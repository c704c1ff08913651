/** Before the agents start: does their program trust this folder? If not, the person decides, and nobody else. */
import type { AgentProgram } from "../agent/agent-program.ts";
import { claudeStateFile, readClaudeState, storeTrust } from "../agent/claude/state-file.ts";
import { folderToTrust, isTrusted, type ClaudeState } from "../agent/claude/trust.ts";
import { RITUAL_TEXTS } from "../i18n/ritual-texts.ts";
import { cleanLine } from "../system/clean-text.ts";
import { findCheckout } from "../system/git-checkout.ts";
import type { FileProblem } from "../system/ovld-error.ts";
import { sessionState } from "../zellij/sessions.ts";
import { holdingArmy, type Army } from "./army.ts";
import { confirm } from "../command/confirm.ts";
import { sayLine, tellProblems, type CommandContext } from "../command/command-context.ts";

export interface TrustOptions {
  agent: AgentProgram;
  /** Whether there may be a question. */
  ask: boolean;
}

/** Asks on a terminal, otherwise tells that each agent will ask; the summoning goes on either way. */
export async function offerTrust(
  context: CommandContext,
  army: Army,
  { agent, ask }: TrustOptions,
): Promise<void> {
  if (agent.name !== "claude") return;
  const file = claudeStateFile(context.env);
  const found = readClaudeState(file);
  const folder = "state" in found ? findUntrusted(context, found.state) : context.cwd;
  if (folder === undefined || (await isLive(context, army))) return;
  if ("problem" in found) return tellOfFile(context, file, found.problem);
  const texts = RITUAL_TEXTS[context.language];
  // Claude Code asks anew each time in the home folder, and never stores the answer.
  const mayStore = ask && context.hasTerminal && folder !== context.env["HOME"];
  if (mayStore && (await confirm(context, texts.askForTrust(cleanLine(folder))))) {
    const problem = await storeTrust(file, folder);
    if (problem === undefined) return sayLine(context, cleanLine(texts.trusted(folder, file)));
    tellOfFile(context, file, problem);
  }
  context.print("stderr", `${cleanLine(texts.agentsWillAsk(folder))}\n`);
}

function tellOfFile(context: CommandContext, path: string, problem: FileProblem): void {
  tellProblems(context, [{ code: "file-unfit", facts: { path, problem } }]);
}

/** The folder that trust is lacking for; undefined where there is enough. */
function findUntrusted({ cwd }: CommandContext, state: ClaudeState): string | undefined {
  const checkout = findCheckout(cwd);
  return isTrusted(state, cwd, checkout) ? undefined : folderToTrust(cwd, checkout);
}

/** Whoever only attaches starts no agent. */
function isLive(context: CommandContext, army: Army): Promise<boolean> {
  return holdingArmy(army, context.stop, async () => {
    return (await sessionState(army.zellij, army.session)) === "live";
  });
}
