/** Looks at an army and its session. Changes nothing. */
import type { CommandContext } from "../command/command-context.ts";
import { sessionNow } from "../summon/army-name.ts";
import { findSuspended } from "../summon/find-suspended.ts";
import type { ArmyMail } from "../summon/mail-of-army.ts";
import { viewArmy, type ArmyView } from "./army-view.ts";
import { lookAtSession, type LookOptions } from "./look-at-session.ts";

export async function seeArmy(
  context: CommandContext,
  army: ArmyMail,
  options: LookOptions,
): Promise<ArmyView> {
  const look = await lookAtSession(context, army, options);
  const view = viewArmy(army, look, look.state === "live" ? await findSuspended(context, army) : new Map());
  return { ...view, session: sessionNow(context.env, army.session) };
}
