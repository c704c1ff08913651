/** Takes the person to a role's pane, or says how to get there. */
import { formatWayToTab } from "../../../view/need.ts";
import type { Role } from "../../../army/roles.ts";
import type { CommandContext } from "../../../command/command-context.ts";
import { armyOf } from "../../../summon/army.ts";
import { focusPaneById } from "../../../zellij/focus.ts";
import type { SeenArmy } from "./watch-on-screen.ts";

/**
 * What the person is told; nothing if they are there. Zellij moves the client in which the last key was pressed: that is
 * the person's own only if they pressed it in this session.
 */
export async function goToRole(
  context: CommandContext,
  { army, view: { session, roles } }: SeenArmy,
  role: Role,
  within: string | undefined,
): Promise<string[]> {
  const { status: texts } = context.texts;
  const { pane, tab, tabNumber } = roles.find((each) => each.role === role) ?? {};
  if (typeof pane !== "number" || typeof tab !== "string" || typeof tabNumber !== "number")
    return [texts.keys.noPane(role)];
  const way = formatWayToTab({ session, tab, tabNumber, within }, texts);
  if (within !== session) return [texts.keys.elsewhere(role, way)];
  const { zellij } = await armyOf(context, army.session);
  return (await focusPaneById(zellij, army.session, pane)) ? [] : [texts.keys.notMoved(role, way)];
}
