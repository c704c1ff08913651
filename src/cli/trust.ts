/** Before the agents start: does their program trust this folder? If not, the person decides, and nobody else. */
import type { AgentProgram } from "../agent/agent-program.ts";
import { claudeStateFile, readClaudeState, storeTrust } from "../agent/claude/state-file.ts";
import { folderToTrust, isTrusted } from "../agent/claude/trust.ts";
import { RITUAL_TEXTS } from "../i18n/ritual-texts.ts";
import { findCheckout } from "../system/git-checkout.ts";
import { sessionState } from "../zellij/sessions.ts";
import { holdingArmy, type Army } from "./army.ts";
import { confirm } from "./confirm.ts";
import { sayLine, type Machine } from "./machine.ts";

export interface TrustOptions {
  agent: AgentProgram;
  /** Whether there may be a question. */
  ask: boolean;
}

/** Asks on a terminal, otherwise tells that each agent will ask; the summoning goes on either way. */
export async function offerTrust(machine: Machine, army: Army, { agent, ask }: TrustOptions): Promise<void> {
  const folder = agent.name === "claude" ? findUntrusted(machine) : undefined;
  if (folder === undefined || (await isLive(machine, army))) return;
  const texts = RITUAL_TEXTS[machine.language];
  const file = claudeStateFile(machine.env);
  // Claude Code asks anew each time in the home folder, and never stores the answer.
  const mayStore = ask && machine.hasTerminal && folder !== machine.env["HOME"];
  if (mayStore && (await confirm(machine, texts.askForTrust(folder))) && storeTrust(file, folder)) {
    return sayLine(machine, texts.trusted(folder, file));
  }
  machine.print("stderr", `${texts.agentsWillAsk(folder)}\n`);
}

/** The folder that trust is lacking for; undefined where there is enough, or where it cannot be told. */
function findUntrusted({ env, cwd }: Machine): string | undefined {
  const state = readClaudeState(claudeStateFile(env));
  const checkout = findCheckout(cwd);
  if (state === undefined || isTrusted(state, cwd, checkout)) return undefined;
  return folderToTrust(cwd, checkout);
}

/** Whoever only attaches starts no agent. */
function isLive(machine: Machine, army: Army): Promise<boolean> {
  return holdingArmy(army, machine.stop, async () => {
    return (await sessionState(army.zellij, army.session)) === "live";
  });
}
