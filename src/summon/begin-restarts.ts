/** Checks that agents of an army can be restarted, and offers to restart one after the other. */
import { followMovedOvld } from "./follow-moved-ovld.ts";
import type { Role } from "../army/roles.ts";
import type { CommandContext } from "../command/command-context.ts";
import { OvldError, type ErrorReport } from "../system/ovld-error.ts";
import { serverState } from "../zellij/session-record.ts";
import { armyOf, zellijProblems, type Army } from "./army.ts";
import { mailOfArmy, type ArmyMail } from "./mail-of-army.ts";
import { restartAgent, type Restart } from "./restart-agent.ts";

export interface Restarts {
  army: Army;
  own: ArmyMail;
  /** What prevents it; all of it is to be told. */
  problems: ErrorReport[];
  restart: (role: Role) => Promise<Restart>;
}

export async function beginRestarts(context: CommandContext, asked: string | undefined): Promise<Restarts> {
  const own = mailOfArmy(context, asked);
  const { session } = own;
  const army = await armyOf(context, session);
  const problems = zellijProblems(army);
  if (problems.length === 0 && serverState(army.zellij) !== "alive")
    throw new OvldError({ code: "no-army", facts: { session } });
  return {
    army,
    own,
    problems,
    restart(role) {
      followMovedOvld(army.relayDir, role, context.ovld);
      return restartAgent(army, own, role, context.stop);
    },
  };
}
