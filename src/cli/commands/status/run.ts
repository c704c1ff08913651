/** `ovld status`: the state of an army, and what in it needs the person's attention. */
import { jsonLine } from "../../../command/json-line.ts";
import { createPaint, wantsColour } from "../../../terminal/paint.ts";
import { pause } from "../../../system/pause.ts";
import { beginDrawing } from "../../../terminal/redraw.ts";
import { terminalColumns, terminalRows } from "../../../terminal/terminal.ts";
import { sessionNow } from "../../../summon/army-name.ts";
import { sessionAround } from "../../../zellij/session-around.ts";
import { EXIT } from "../../../command/exit-code.ts";
import { knownArmies } from "../../../summon/known-armies.ts";
import { mailOfArmy } from "../../../summon/mail-of-army.ts";
import { runCommand, signalCode, type CommandContext } from "../../../command/command-context.ts";
import type { ArmyView } from "../../../view/army-view.ts";
import type { Sightings } from "../../../view/look-at-session.ts";
import { seeArmy } from "../../../view/see-army.ts";
import { printArmies, printStatus, type StatusLook } from "./print-status.ts";

export interface StatusFlags {
  session?: string;
  all: boolean;
  watch: boolean;
  json: boolean;
}

export function status(context: CommandContext, flags: StatusFlags): Promise<void> {
  return runCommand(context, async () => {
    if (flags.watch) return watch(context, flags);
    context.print("stdout", await report(context, flags));
    return EXIT.done;
  });
}

async function report(
  context: CommandContext,
  flags: StatusFlags,
  seen: Sightings = new Map(),
): Promise<string> {
  if (!flags.all) {
    const army = await see(context, flags.session, seen);
    return flags.json ? jsonLine(army) : printStatus(army, lookOf(context));
  }
  const armies: ArmyView[] = [];
  for (const session of knownArmies(context.env)) armies.push(await see(context, session, seen));
  return flags.json ? jsonLine({ armies }) : printArmies(armies, lookOf(context));
}

async function see(context: CommandContext, session: string | undefined, seen: Sightings): Promise<ArmyView> {
  return seeArmy(context, mailOfArmy(context, session), { seen });
}

function lookOf({ env, texts, hasScreen, now }: CommandContext): StatusLook {
  return {
    texts,
    paint: createPaint(wantsColour(env, hasScreen)),
    columns: hasScreen ? terminalColumns() : undefined,
    now: now(),
    within: sessionAround(env) && sessionNow(env, sessionAround(env) ?? ""),
  };
}

const LOOK_EVERY_MS = 1_000;

/** Runs until the person leaves or the army is gone; redraws in place on a terminal, otherwise prints each change. */
async function watch(context: CommandContext, flags: StatusFlags): Promise<number> {
  const seen: Sightings = new Map();
  let last = await report(context, flags, seen);
  const draws = context.hasScreen && !flags.json;
  const drawing = draws ? beginDrawing((text) => context.print("stdout", text), terminalRows) : undefined;
  try {
    if (drawing) drawing.draw(last);
    else context.print("stdout", last);
    for (;;) {
      await pause(LOOK_EVERY_MS, context.stop);
      if (context.stop.aborted) return signalCode(context.stop);
      const now = await report(context, flags, seen);
      if (drawing) drawing.draw(now);
      else if (now !== last && !context.print("stdout", now)) return EXIT.done;
      last = now;
    }
  } finally {
    drawing?.end();
    // The last picture stays on the terminal.
    if (drawing) context.print("stdout", last);
  }
}
