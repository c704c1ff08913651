/** `ovld restart`: ends agents and brings them back in their panes and conversations. */
import type { Role } from "../../../army/roles.ts";
import { followMovedOvld } from "../../../agent/follow-moved-ovld.ts";
import { configFilePath } from "../../../config/config-file.ts";
import { EXIT } from "../../../command/exit-code.ts";
import { OvldError } from "../../../system/ovld-error.ts";
import { serverState } from "../../../zellij/session-record.ts";
import { armyOf, zellijProblems } from "../../../summon/army.ts";
import { mailOfArmy } from "../../../summon/mail-of-army.ts";
import { restartAgent, type Restart } from "../../../summon/restart-agent.ts";
import { findRunner } from "../../../summon/surroundings.ts";
import {
  runCommand,
  sayJson,
  sayLine,
  signalCode,
  tellProblems,
  type CommandContext,
} from "../../../command/command-context.ts";

export interface RestartFlags {
  session?: string;
  json: boolean;
}

export function restart(context: CommandContext, flags: RestartFlags, roles: Role[]): Promise<void> {
  return runCommand(context, () => restartAgents(context, flags, roles));
}

async function restartAgents(context: CommandContext, flags: RestartFlags, roles: Role[]): Promise<number> {
  const armyMail = mailOfArmy(context, flags.session);
  const { session } = armyMail;
  const army = await armyOf(context, session);
  if (!army.settings.agentsMayUnsummon && findRunner(context.env).isAgent) {
    throw new OvldError({
      code: "agent-may-not-end",
      facts: { path: configFilePath(context.env), command: "ovld restart" },
    });
  }
  const problems = zellijProblems(army);
  if (problems.length > 0) return tellProblems(context, problems);
  if (serverState(army.zellij) !== "alive") throw new OvldError({ code: "no-army", facts: { session } });
  const restarted: Restart[] = [];
  // One after the other, so that the others can go on with their work.
  for (const role of new Set(roles)) {
    if (context.stop.aborted) break;
    followMovedOvld(army.relayDir, role, context.ovld);
    const result = await restartAgent(army, armyMail, role, context.stop);
    restarted.push(result);
    if (!flags.json) sayLine(context, tell(context, result));
  }
  if (flags.json) sayJson(context, { session, restarted });
  if (context.stop.aborted) return signalCode(context.stop);
  return restarted.every(isRunning) ? EXIT.done : EXIT.failed;
}

function isRunning({ outcome }: Restart): boolean {
  return outcome === "resumed" || outcome === "began";
}

function tell({ texts: { conversation: texts } }: CommandContext, { role, outcome, why }: Restart): string {
  if (why !== undefined) return texts.beginsAnew(role, texts.beginnings[why]);
  return texts.restarts[outcome](role);
}
