/**
 * `ovld practice`: a campaign of the practice army, from a wish to its fulfilment.
 *
 * On a terminal, the session opens for the person to watch until they leave it. Otherwise, and inside Zellij, it runs
 * in the background and prints what happens. Nothing of a campaign is left behind, however it ends.
 */
import { findProblems } from "../../../summon/check-summon.ts";
import { existsSync } from "node:fs";
import { armyStamp, type ArmyFiles } from "../../../summon/army-files.ts";
import { practice as practiceAgent } from "../../../agent/practice/practice.ts";
import { readScript } from "../../../agent/practice/script.ts";
import { relayFolder } from "../../../config/folders.ts";
import { openMail } from "../../../mail/mail.ts";
import { OvldError } from "../../../system/ovld-error.ts";
import { waitForPanes } from "../../../zellij/panes.ts";
import { createInBackground } from "../../../zellij/sessions.ts";
import { endLateSession } from "../../../summon/after-zellij.ts";
import { originOf } from "../../../person/find-runner.ts";
import { armyOf, holdingArmy, type Army } from "../../../summon/army.ts";
import {
  runCommand,
  sayLine,
  signalCode,
  printProblems,
  type CommandContext,
} from "../../../command/command-context.ts";
import type { StartingPoint } from "../../../summon/archive/choose-starting-point.ts";
import { inStore } from "../../../summon/archive/last-army.ts";
import { beginOpening, openOnTerminal } from "../../../summon/open-army.ts";
import { planArmy } from "../../../summon/plan-army.ts";
import { CAMPAIGN_NAME, findCampaign, watchCampaign } from "./campaign.ts";
import { deliverWish, describeOutcome, printOutcome, reportCampaign, type Practice } from "./outcome.ts";
import { runOnMachines } from "./machines.ts";
import { removeArmy, endArmy } from "../../../summon/end-army.ts";

export interface PracticeFlags {
  army?: string;
  resume: boolean;
  /** How many machines the army is on; undefined for one. */
  machines?: string;
  json: boolean;
}

export function practice(
  context: CommandContext,
  flags: PracticeFlags,
  wish: string | undefined,
): Promise<void> {
  return runCommand(context, () => runPractice(context, flags, wish));
}

async function runPractice(
  context: CommandContext,
  flags: PracticeFlags,
  asked: string | undefined,
): Promise<number> {
  if (flags.resume && asked !== undefined) throw new OvldError({ code: "wish-and-resume", facts: {} });
  const cutOff = flags.resume ? findCampaign(context, flags.army) : undefined;
  const wish = cutOff?.wish ?? asked ?? context.texts.practice.defaultWish;
  if (wish.trim() === "") throw new OvldError({ code: "empty-message", facts: { role: "overlord" } });
  const session = cutOff?.session ?? flags.army ?? freeName(context);
  const { patienceMs } = readScript(context.env);
  if (flags.machines !== undefined && cutOff === undefined) {
    const count = Number(flags.machines);
    return runOnMachines(context, { session, count, wish, json: flags.json, patienceMs });
  }
  const army = await armyOf(context, session);
  const mail = openMail(army.relayDir, {
    limits: army.settings.limits,
    origin: originOf(context.env),
  });
  const last = cutOff && inStore(army);
  const start: StartingPoint = last === undefined ? { from: "nothing" } : { from: "store", last };
  // Existing mail belongs to another army, and a campaign ends by removing all mail.
  if (mail.exists() && cutOff === undefined) refuseName(army);
  const problems = await findProblems(context, army, practiceAgent);
  if (problems.length > 0) return printProblems(context, problems);
  const practiced: Practice = {
    context,
    army,
    mail,
    wish,
    start,
    json: flags.json,
    began: context.now(),
    patienceMs,
  };
  const isWatched = context.hasTerminal && !flags.json && context.env["ZELLIJ"] === undefined;
  // A person who watches decides how long to wait.
  return isWatched ? runOnTerminal({ ...practiced, patienceMs: Infinity }) : runInBackground(practiced);
}

/**
 * A name that no other army has. A pid is unique among running processes, but an earlier process may have left a
 * folder.
 */
function freeName({ env }: CommandContext): string {
  const first = `${CAMPAIGN_NAME}-${process.pid}`;
  let name = first;
  for (let count = 1; existsSync(relayFolder(env, name)); count += 1) name = `${first}-${count}`;
  return name;
}

async function runOnTerminal(practiced: Practice): Promise<number> {
  const { context, army } = practiced;
  const files = await planFiles(practiced);
  await using opening = await beginOpening(context, army);
  if (opening === undefined) return refuseName(army);
  await opening.prepare({ files, agent: practiceAgent.name, start: practiced.start });
  deliverWish(practiced);
  const stamp = armyStamp(army.relayDir);
  // Zellij owns the terminal in the meantime, so events are only recorded.
  const watch = watchCampaign({ ...practiced, stop: context.stop, onEntry: () => {} });
  try {
    await openOnTerminal(context, army, files, opening);
  } finally {
    watch.close();
  }
  opening.leave();
  // Read now, while the relays' reports still exist.
  const outcome = describeOutcome(practiced, watch.campaign());
  if (context.stop.aborted) await endLateSession(context, army);
  // This army may have been ended and another one opened with its name.
  if (armyStamp(army.relayDir) === stamp) await endPractice(practiced);
  return context.stop.aborted ? signalCode(context.stop) : printOutcome(practiced, outcome);
}

function planFiles({ context, army }: Practice): Promise<ArmyFiles> {
  // Practice agents need no rituals for their play.
  return planArmy(context, army, { agent: practiceAgent, rituals: new Map() });
}

function refuseName({ session }: Army): never {
  throw new OvldError({ code: "name-taken", facts: { session } });
}

async function runInBackground(practiced: Practice): Promise<number> {
  const { context, army, json, wish, start } = practiced;
  const texts = context.texts.practice;
  const heading = start.from === "nothing" ? texts.opening : texts.resuming;
  if (!json) sayLine(context, heading(army.session, wish));
  const making = { isUnderWay: false };
  try {
    await createArmy(practiced, making);
  } catch (error) {
    if (making.isUnderWay) await endLateSession(context, army);
    throw error;
  }
  if (!json) sayLine(context, texts.watch(army.session));
  try {
    return await reportCampaign(practiced);
  } finally {
    await endPractice(practiced);
  }
}

async function createArmy(practiced: Practice, making: { isUnderWay: boolean }): Promise<void> {
  const { context, army, start } = practiced;
  const { zellij, session } = army;
  const files = await planFiles(practiced);
  await using opening = await beginOpening(context, army);
  if (opening === undefined) return refuseName(army);
  await opening.prepare({ files, agent: practiceAgent.name, start });
  deliverWish(practiced);
  making.isUnderWay = true;
  const isMade = await createInBackground(zellij, session, files.layout.path, context.stop);
  making.isUnderWay = false;
  if (!isMade) {
    if (start.from === "nothing") removeArmy(army);
    opening.leave();
    return refuseName(army);
  }
  await waitForPanes(zellij, session, files.roles, context.stop);
  opening.keep();
}

/** Leaves nothing behind, whatever the result of the campaign. */
async function endPractice({ context, army }: Practice): Promise<void> {
  const { signal: patiently } = new AbortController();
  const { problems } = await holdingArmy(
    { print: context.print, texts: context.texts, stop: patiently },
    army,
    () => endArmy(army, { keep: "nothing" }),
  );
  printProblems(context, problems);
}
