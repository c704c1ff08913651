/** What a role's pane shows right now, with its colours. Asked only when the person looks at it. */
import { isRole } from "../army/roles.ts";
import type { CommandContext } from "../command/command-context.ts";
import { OvldError } from "../system/ovld-error.ts";
import { armyOf } from "../summon/army.ts";
import { findPane } from "../zellij/panes.ts";
import type { ShownArmy } from "./army-feed.ts";
import { typistAt } from "../zellij/typing.ts";

/** The lines of the screen with the pane's own colours, as a terminal gets them. */
export async function readScreen(
  context: CommandContext,
  { session, mail, isArchived }: ShownArmy,
  role: string,
): Promise<{ lines: string[] } | { trouble: string }> {
  if (!isRole(role)) throw new OvldError({ code: "no-such-role", facts: { word: role } });
  if (isArchived) return { trouble: "session-gone" };
  const { zellij } = await armyOf(context, session);
  const pane = await findPane(zellij, session, role, mail.agentReport(role)?.pane);
  if (typeof pane === "string") return { trouble: pane };
  return { lines: await typistAt(zellij, session, pane).screen("coloured") };
}
