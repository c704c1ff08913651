/** `ovld continue`: sets agents going again that Ctrl-Z has suspended; in a pane there is no shell that could. */
import { ROLES, type Role } from "../../army/roles.ts";
import { CONTINUE_TEXTS } from "../../i18n/continue-texts.ts";
import { continueProcess } from "../../system/suspended-process.ts";
import { EXIT } from "../exit-code.ts";
import { findSuspended } from "../find-suspended.ts";
import { mailOfArmy } from "../mail-of-army.ts";
import { runCommand, sayJson, sayLine, type Machine } from "../machine.ts";

export interface ContinueFlags {
  session?: string;
  json: boolean;
}

export function continueAgents(machine: Machine, flags: ContinueFlags, roles: Role[]): Promise<void> {
  return runCommand(machine, async () => {
    const army = mailOfArmy(machine, flags.session);
    const { session } = army;
    const chosen = roles.length === 0 ? ROLES : roles;
    const suspended = await findSuspended(machine, army, chosen);
    for (const agent of suspended.values()) continueProcess(agent);
    const continued = [...suspended.keys()];
    const texts = CONTINUE_TEXTS[machine.language];
    if (flags.json) sayJson(machine, { session, continued });
    else if (continued.length > 0) sayLine(machine, texts.continued(continued.join(", ")));
    else sayLine(machine, texts.nobody(chosen.join(", ")));
    return EXIT.done;
  });
}
