/** Finds the agents of an army that Ctrl-Z has suspended; a pane has no shell that could bring them back. */
import { type ProcessIdentity, isSuspended } from "../system/process.ts";
import { isAgentOf } from "../agent/army-process.ts";
import { linkOfArmy } from "../agent/link-of-army.ts";
import { ROLES, type Role } from "../army/roles.ts";
import type { AgentReport } from "../mail/records/agent-report.ts";
import { hasLineMode } from "../terminal/terminal-mode.ts";
import { typistAt } from "../zellij/typing.ts";
import { armyOf } from "./army.ts";
import type { ArmyMail } from "./mail-of-army.ts";
import type { CommandContext } from "../command/command-context.ts";

/** The roles, each with the process to continue. Zellij is asked only about an agent that has left its terminal. */
export async function findSuspended(
  context: CommandContext,
  army: ArmyMail,
  roles: readonly Role[] = ROLES,
): Promise<Map<Role, ProcessIdentity>> {
  const found = new Map<Role, ProcessIdentity>();
  for (const role of roles) {
    const report = army.mail.agentReport(role);
    const agent = report?.agent;
    if (agent === undefined || !isAgentOf(agent, { relayDir: army.relayDir, role })) continue;
    if (isSuspended(agent) || (await hasLeftScreen(context, army, agent, report))) found.set(role, agent);
  }
  return found;
}

async function hasLeftScreen(
  context: CommandContext,
  { session, mail }: ArmyMail,
  agent: ProcessIdentity,
  report: AgentReport | undefined,
): Promise<boolean> {
  const id = report?.pane;
  if (id === undefined || !hasLineMode(Number.parseInt(agent, 10))) return false;
  try {
    const { zellij } = await armyOf(context, session);
    return linkOfArmy(mail).screen.saysSuspended(await typistAt(zellij, session, { id }).screen());
  } catch {
    // If Zellij does not show the pane, it is unknown.
    return false;
  }
}
