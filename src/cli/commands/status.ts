/** `ovld status`: how an army is, and what of it needs the person. */
import { jsonLine } from "../../system/json-line.ts";
import { createPaint, wantsColour } from "../../system/paint.ts";
import { pause } from "../../system/pause.ts";
import { beginDrawing } from "../../system/redraw.ts";
import { terminalColumns, terminalRows } from "../../system/terminal.ts";
import { sessionNow } from "../army-name.ts";
import { sessionAround } from "../../zellij/session-around.ts";
import { findSuspended } from "../find-suspended.ts";
import { EXIT } from "../exit-code.ts";
import { knownArmies } from "../known-armies.ts";
import { mailOfArmy } from "../mail-of-army.ts";
import { runCommand, signalCode, type Machine } from "../machine.ts";
import { viewArmy, type ArmyView } from "../status/army-view.ts";
import { lookAtSession, type Sightings } from "../status/look-at-session.ts";
import { printArmies, printStatus, type StatusLook } from "../status/print-status.ts";

export interface StatusFlags {
  session?: string;
  all: boolean;
  watch: boolean;
  json: boolean;
}

export function status(machine: Machine, flags: StatusFlags): Promise<void> {
  return runCommand(machine, async () => {
    if (flags.watch) return watch(machine, flags);
    machine.print("stdout", await report(machine, flags));
    return EXIT.done;
  });
}

async function report(machine: Machine, flags: StatusFlags, seen: Sightings = new Map()): Promise<string> {
  if (!flags.all) {
    const army = await see(machine, flags.session, seen);
    return flags.json ? jsonLine(army) : printStatus(army, lookOf(machine));
  }
  const armies: ArmyView[] = [];
  for (const session of knownArmies(machine.env)) armies.push(await see(machine, session, seen));
  return flags.json ? jsonLine({ armies }) : printArmies(armies, lookOf(machine));
}

async function see(machine: Machine, session: string | undefined, seen: Sightings): Promise<ArmyView> {
  const army = mailOfArmy(machine, session);
  const look = await lookAtSession(machine, army, { seen });
  const view = viewArmy(army, look, look.state === "live" ? await findSuspended(machine, army) : new Map());
  return { ...view, session: sessionNow(machine.env, army.session) };
}

function lookOf({ env, language, hasScreen }: Machine): StatusLook {
  return {
    language,
    paint: createPaint(wantsColour(env, hasScreen)),
    columns: hasScreen ? terminalColumns() : undefined,
    now: Date.now(),
    within: sessionAround(env) && sessionNow(env, sessionAround(env) ?? ""),
  };
}

const LOOK_EVERY_MS = 1_000;

/** Until the person leaves or the army is gone altogether; in place on a terminal, else whenever it changes. */
async function watch(machine: Machine, flags: StatusFlags): Promise<number> {
  const seen: Sightings = new Map();
  let last = await report(machine, flags, seen);
  const draws = machine.hasScreen && !flags.json;
  const drawing = draws ? beginDrawing((text) => machine.print("stdout", text), terminalRows) : undefined;
  try {
    if (drawing) drawing.draw(last);
    else machine.print("stdout", last);
    for (;;) {
      await pause(LOOK_EVERY_MS, machine.stop);
      if (machine.stop.aborted) return signalCode(machine.stop);
      const now = await report(machine, flags, seen);
      if (drawing) drawing.draw(now);
      else if (now !== last && !machine.print("stdout", now)) return EXIT.done;
      last = now;
    }
  } finally {
    drawing?.end();
    // What was seen last stays to be read.
    if (drawing) machine.print("stdout", last);
  }
}
