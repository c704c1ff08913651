/**
 * The key of an army's session that opens the status runs this command each time. If the status is open already, the
 * person is taken to it, and the pane that was opened for this command closes.
 */
import type { CommandContext } from "../../../command/command-context.ts";
import { armyOf } from "../../../summon/army.ts";
import { armyAround } from "../../../person/find-runner.ts";
import { focusPaneById } from "../../../zellij/focus.ts";
import { findPanes } from "../../../zellij/panes.ts";
import { findStatusPane } from "../../../zellij/status-key.ts";

/** False if it is not open yet. */
export async function goToOpenStatus(context: CommandContext): Promise<boolean> {
  const session = armyAround(context.env);
  const own = Number(context.env["ZELLIJ_PANE_ID"]);
  if (session === undefined || Number.isNaN(own)) return false;
  const { zellij } = await armyOf(context, session);
  const panes = await findPanes(zellij, session);
  const open = typeof panes === "string" ? undefined : findStatusPane(panes, own);
  return open !== undefined && focusPaneById(zellij, session, open.id);
}
