/**
 * `ovld restart`: ends agents and brings them back in their panes and conversations. `ovld continue`: resumes agents that
 * Ctrl-Z has suspended; a pane has no shell that could.
 */
import { ROLES, type Role } from "../../../army/roles.ts";
import {
  runCommand,
  sayJson,
  sayLine,
  signalCode,
  printProblems,
  type CommandContext,
} from "../../../command/command-context.ts";
import { EXIT } from "../../../army/errors.ts";
import { prepareRestarts, type Restart } from "../../../summon/restart-agents.ts";
import { findSuspended } from "../../../summon/processes.ts";
import { continueProcess } from "../../../system/process.ts";
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
  if (problems.length > 0) return printProblems(context, problems);
  const restarted: Restart[] = [];
  // One after the other, so that the others can go on with their work.
  for (const role of new Set(roles)) {
    if (context.stop.aborted) break;
    const result = await restartOne(role);
    restarted.push(result);
    if (!flags.json) sayLine(context, format(context, result));
  }
  if (flags.json) sayJson(context, { session: own.session, restarted });
  if (context.stop.aborted) return signalCode(context.stop);
  return restarted.every(isRunning) ? EXIT.done : EXIT.failed;
}

function isRunning({ outcome }: Restart): boolean {
  return outcome === "resumed" || outcome === "began";
}

function format({ texts: { conversation: texts } }: CommandContext, { role, outcome, why }: Restart): string {
  if (why !== undefined) return texts.beginsAnew(role, texts.beginnings[why]);
  return texts.restarts[outcome](role);
}

export function continueAgents(context: CommandContext, flags: RestartFlags, roles: Role[]): Promise<void> {
  return runCommand(context, async () => {
    const army = mailOfArmy(context, flags.army);
    const { session } = army;
    const chosen = roles.length === 0 ? ROLES : roles;
    const suspended = await findSuspended(context, army, chosen);
    for (const agent of suspended.values()) continueProcess(agent);
    const continued = [...suspended.keys()];
    const texts = context.texts.session;
    if (flags.json) sayJson(context, { session, continued });
    else if (continued.length > 0) sayLine(context, texts.continued(continued.join(", ")));
    else sayLine(context, texts.noneSuspended(chosen.join(", ")));
    return EXIT.done;
  });
}
