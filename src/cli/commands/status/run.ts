/** `ovld status`: the state of an army, and what in it needs the person's attention. */
import { jsonLine } from "../../../system/json.ts";
import type { SeenSessions } from "../../../view/describe-session.ts";
import { sessionNow, armyOf } from "../../../summon/army.ts";
import { sessionAround } from "../../../zellij/session-record.ts";
import { lookOf, type CommandContext } from "../../../command/command-context.ts";
import { EXIT } from "../../../army/errors.ts";
import { describeArmy } from "../../../view/describe-army.ts";
import { formatStatus } from "./format-status.ts";
import { showOrWatch, type StatusPicture } from "./watch-on-screen.ts";
import { armyAround, mailOfArmy } from "../../../person/find-runner.ts";
import { findPanes, focusPaneById } from "../../../zellij/panes.ts";
import { findStatusPane } from "../../../zellij/status-key.ts";

export interface StatusFlags {
  army?: string;
  watch: boolean;
  json: boolean;
  /** It runs in the floating pane that a key of the army's session opens. */
  floating: boolean;
}

export async function status(context: CommandContext, flags: StatusFlags): Promise<number> {
  const seen: SeenSessions = new Map();
  const see = () => report(context, flags, seen);
  if (flags.floating && (await goToOpenStatus(context))) return EXIT.done;
  return showOrWatch(context, flags, see);
}

async function report(
  context: CommandContext,
  flags: StatusFlags,
  seen: SeenSessions,
): Promise<StatusPicture> {
  const around = sessionAround(context.env);
  const within = around && sessionNow(context.env, around);
  const look = { ...lookOf(context), within };
  const army = mailOfArmy(context, flags.army);
  const view = await describeArmy(context, army, { seen });
  const text = flags.json ? jsonLine(view) : formatStatus(view, look);
  return { text, within, seen: { army, view } };
}

/**
 * An army's key that opens the status runs this command each time. If the status is open already, the person is taken to
 * it, and the pane that was opened for this command closes. False if it is not open yet.
 */
async function goToOpenStatus(context: CommandContext): Promise<boolean> {
  const session = armyAround(context.env);
  const own = Number(context.env["ZELLIJ_PANE_ID"]);
  if (session === undefined || Number.isNaN(own)) return false;
  const { zellij } = await armyOf(context, session);
  const panes = await findPanes(zellij, session);
  const open = typeof panes === "string" ? undefined : findStatusPane(panes, own);
  return open !== undefined && focusPaneById(zellij, session, open.id);
}
