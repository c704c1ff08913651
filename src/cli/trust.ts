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
import { confirm } from "./confirm.ts";
import { sayLine, tellProblems, type Machine } from "./machine.ts";

export interface TrustOptions {
  agent: AgentProgram;
  /** Whether there may be a question. */
  ask: boolean;
}

/** Asks on a terminal, otherwise tells that each agent will ask; the summoning goes on either way. */
export async function offerTrust(machine: Machine, army: Army, { agent, ask }: TrustOptions): Promise<void> {
  if (agent.name !== "claude") return;
  const file = claudeStateFile(machine.env);
  const found = readClaudeState(file);
  const folder = "state" in found ? findUntrusted(machine, found.state) : machine.cwd;
  if (folder === undefined || (await isLive(machine, army))) return;
  if ("problem" in found) return tellOfFile(machine, file, found.problem);
  const texts = RITUAL_TEXTS[machine.language];
  // Claude Code asks anew each time in the home folder, and never stores the answer.
  const mayStore = ask && machine.hasTerminal && folder !== machine.env["HOME"];
  if (mayStore && (await confirm(machine, texts.askForTrust(cleanLine(folder))))) {
    const problem = await storeTrust(file, folder);
    if (problem === undefined) return sayLine(machine, cleanLine(texts.trusted(folder, file)));
    tellOfFile(machine, file, problem);
  }
  machine.print("stderr", `${cleanLine(texts.agentsWillAsk(folder))}\n`);
}

function tellOfFile(machine: Machine, path: string, problem: FileProblem): void {
  tellProblems(machine, [{ code: "file-unfit", facts: { path, problem } }]);
}

/** The folder that trust is lacking for; undefined where there is enough. */
function findUntrusted({ cwd }: Machine, state: ClaudeState): string | undefined {
  const checkout = findCheckout(cwd);
  return isTrusted(state, cwd, checkout) ? undefined : folderToTrust(cwd, checkout);
}

/** Whoever only attaches starts no agent. */
function isLive(machine: Machine, army: Army): Promise<boolean> {
  return holdingArmy(army, machine.stop, async () => {
    return (await sessionState(army.zellij, army.session)) === "live";
  });
}
