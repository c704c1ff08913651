/**
 * `ovld restart`: ends agents and brings them back in their panes and conversations. With `--continue` it only resumes
 * agents that Ctrl-Z has suspended; a pane has no shell that could.
 */
import { ROLES, type Role } from "../../../army/roles.ts";
import {
  refuse,
  sayAnswer,
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
import { mailOfArmy, requireRightToEnd } from "../../../person/find-runner.ts";

export interface RestartFlags {
  continue: boolean;
  army?: string;
  json: boolean;
}

export async function restart(
  context: CommandContext,
  flags: RestartFlags,
  ...roles: Role[]
): Promise<number> {
  if (flags.continue) return continueAgents(context, flags, roles);
  if (roles.length === 0) return refuse(context, context.texts.cli.missingArgument("ROLE"));
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
  const areRunning = restarted.every(({ outcome }) => outcome === "resumed" || outcome === "began");
  return areRunning ? EXIT.done : EXIT.failed;
}

function format({ texts: { conversation: texts } }: CommandContext, { role, outcome, why }: Restart): string {
  if (why !== undefined) return texts.beginsAnew(role, texts.beginnings[why]);
  return texts.restarts[outcome](role);
}

async function continueAgents(
  context: CommandContext,
  flags: RestartFlags,
  roles: readonly Role[],
): Promise<number> {
  const army = mailOfArmy(context, flags.army);
  const { session } = army;
  const chosen = roles.length === 0 ? ROLES : roles;
  const suspended = await findSuspended(context, army, chosen);
  for (const agent of suspended.values()) continueProcess(agent);
  const continued = [...suspended.keys()];
  const texts = context.texts.session;
  const line =
    continued.length > 0 ? texts.continued(continued.join(", ")) : texts.noneSuspended(chosen.join(", "));
  return sayAnswer(context, { session, continued }, [line]);
}
