/** `ovld continue`: continues agents that Ctrl-Z has suspended; a pane has no shell that could. */
import { findSuspended } from "../../../summon/processes.ts";
import { ROLES, type Role } from "../../../army/roles.ts";
import { continueProcess } from "../../../system/process.ts";
import { EXIT, runCommand, sayJson, sayLine, type CommandContext } from "../../../command/command-context.ts";
import { mailOfArmy } from "../../../person/mail-of-army.ts";

export interface ContinueFlags {
  army?: string;
  json: boolean;
}

export function continueAgents(context: CommandContext, flags: ContinueFlags, roles: Role[]): Promise<void> {
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
