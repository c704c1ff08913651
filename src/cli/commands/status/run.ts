/** `ovld status`: the state of an army, and what in it needs the person's attention. */
import { jsonLine } from "../../../system/json.ts";
import type { SeenSessions } from "../../../view/describe-session.ts";
import { pause } from "../../../system/async.ts";
import { sessionNow, knownArmies, armyOf } from "../../../summon/army.ts";
import { sessionAround } from "../../../zellij/session-record.ts";
import { lookOf, runCommand, signalCode, type CommandContext } from "../../../command/command-context.ts";
import { EXIT } from "../../../army/errors.ts";
import { mailOfArmy } from "../../../person/mail-of-army.ts";
import { type ArmyView, describeArmy } from "../../../view/describe-army.ts";
import { formatArmies, formatStatus } from "./format-status.ts";
import { watchOnScreen, type Picture } from "./watch-on-screen.ts";
import { armyAround } from "../../../person/find-runner.ts";
import { focusPaneById } from "../../../zellij/focus.ts";
import { findPanes } from "../../../zellij/panes.ts";
import { findStatusPane } from "../../../zellij/status-key.ts";

export interface StatusFlags {
  army?: string;
  all: boolean;
  watch: boolean;
  json: boolean;
  /** It runs in the floating pane that a key of the army's session opens. */
  floating: boolean;
}

export function status(context: CommandContext, flags: StatusFlags): Promise<void> {
  return runCommand(context, async () => {
    const seen: SeenSessions = new Map();
    if (flags.floating && (await goToOpenStatus(context))) return EXIT.done;
    if (!flags.watch) context.print("stdout", (await report(context, flags, seen)).text);
    else if (context.hasScreen && !flags.json)
      return watchOnScreen(context, () => report(context, flags, seen));
    else return watchInPipe(context, async () => (await report(context, flags, seen)).text);
    return EXIT.done;
  });
}

async function report(context: CommandContext, flags: StatusFlags, seen: SeenSessions): Promise<Picture> {
  const around = sessionAround(context.env);
  const within = around && sessionNow(context.env, around);
  const look = { ...lookOf(context), within };
  if (!flags.all) {
    const army = mailOfArmy(context, flags.army);
    const view = await describeArmy(context, army, { seen });
    const text = flags.json ? jsonLine(view) : formatStatus(view, look);
    return { text, within, seen: { army, view } };
  }
  const armies: ArmyView[] = [];
  for (const session of knownArmies(context.env))
    armies.push(await describeArmy(context, mailOfArmy(context, session), { seen }));
  const text = flags.json ? jsonLine({ armies }) : formatArmies(armies, look);
  return { text, within, seen: undefined };
}

/** Prints each change until the process is asked to end, the reader has gone, or the army is gone. */
async function watchInPipe(context: CommandContext, see: () => Promise<string>): Promise<number> {
  let last = "";
  for (;;) {
    const now = await see();
    if (now !== last && !context.print("stdout", now)) return EXIT.done;
    last = now;
    await pause(1_000, context.stop);
    if (context.stop.aborted) return signalCode(context.stop);
  }
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
