/** `ovld restart`: ends agents and brings them back in their panes and conversations. */
import type { Role } from "../../../army/roles.ts";
import {
  EXIT,
  runCommand,
  sayJson,
  sayLine,
  signalCode,
  tellProblems,
  type CommandContext,
} from "../../../command/command-context.ts";
import { prepareRestarts, type Restart } from "../../../summon/restart-agents.ts";
import { requireRightToEnd } from "../../../person/find-runner.ts";
import { mailOfArmy } from "../../../person/mail-of-army.ts";

export interface RestartFlags {
  army?: string;
  json: boolean;
}

export function restart(context: CommandContext, flags: RestartFlags, roles: Role[]): Promise<void> {
  return runCommand(context, () => restartAgents(context, flags, roles));
}

async function restartAgents(context: CommandContext, flags: RestartFlags, roles: Role[]): Promise<number> {
  const own = mailOfArmy(context, flags.army);
  const { army, problems, restart: restartOne } = await prepareRestarts(context, own);
  requireRightToEnd(context.env, army.settings, "ovld restart");
  if (problems.length > 0) return tellProblems(context, problems);
  const restarted: Restart[] = [];
  // One after the other, so that the others can go on with their work.
  for (const role of new Set(roles)) {
    if (context.stop.aborted) break;
    const result = await restartOne(role);
    restarted.push(result);
    if (!flags.json) sayLine(context, tell(context, result));
  }
  if (flags.json) sayJson(context, { session: own.session, restarted });
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
