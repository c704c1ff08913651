/**
 * `ovld practice`: a campaign of the practice army, from a wish to its fulfilment.
 *
 * On a terminal, the session opens for the person to watch until they leave it. Otherwise, and inside Zellij, it runs
 * in the background and prints what happens. Nothing of a campaign is left behind, however it ends.
 */
import { findProblems, planArmy } from "../../../summon/plan-army.ts";
import { type ArmyFiles, armyStamp } from "../../../summon/army-files.ts";
import {
  type ArmyOpening,
  beginOpening,
  endLateSession,
  openInBackground,
  openOnTerminal,
} from "../../../summon/open-army.ts";
import { type Army, holdingArmy } from "../../../summon/army.ts";
import { armyWithZellij } from "../../../summon/offer-zellij.ts";
import type { StartingPoint } from "../../../summon/archive/starting-point.ts";
import { inStore } from "../../../summon/archive/past-armies.ts";
import { planTrees } from "../../../summon/army-trees.ts";
import { endArmy, removeArmy } from "../../../summon/end-army.ts";
import { existsSync } from "node:fs";
import { practice as practiceAgent } from "../../../agent/practice/practice.ts";
import { readScript } from "../../../agent/practice/script.ts";
import { relayFolder } from "../../../config/folders.ts";
import { openMail } from "../../../mail/mail.ts";
import { OvldError } from "../../../system/ovld-error.ts";
import { originOf } from "../../../person/find-runner.ts";
import {
  refuse,
  sayLine,
  signalCode,
  printProblems,
  type CommandContext,
} from "../../../command/command-context.ts";
import {
  CAMPAIGN_NAME,
  deliverWish,
  describeOutcome,
  findCampaign,
  printOutcome,
  reportCampaign,
  watchCampaign,
  type Practice,
} from "./campaign.ts";
import { makeGround } from "./ground.ts";
import { runOnMachines } from "./machines.ts";

export interface PracticeFlags {
  army?: string;
  resume: boolean;
  /** In a repository that is made for it. */
  trees: boolean;
  /** How many machines the army is on; undefined for one. */
  machines?: string;
  /** Zellij is provided without asking. */
  yes: boolean;
  json: boolean;
}

export async function practice(
  context: CommandContext,
  flags: PracticeFlags,
  asked?: string,
): Promise<number> {
  const { env, texts } = context;
  if (flags.resume && asked !== undefined) throw new OvldError({ code: "wish-and-resume", facts: {} });
  if (flags.trees && (flags.resume || flags.machines !== undefined))
    return refuse(context, texts.practice.treesAlone);
  const cutOff = flags.resume ? findCampaign(context, flags.army) : undefined;
  const wish = cutOff?.wish ?? asked ?? texts.practice.defaultWish;
  if (wish.trim() === "") throw new OvldError({ code: "empty-message", facts: { role: "overlord" } });
  const session = cutOff?.session ?? flags.army ?? freeName(context);
  const { patienceMs } = readScript(env);
  const army = await armyWithZellij(context, session, flags);
  const problems = await findProblems(context, army, practiceAgent);
  if (problems.length > 0) return printProblems(context, problems);
  if (flags.machines !== undefined && cutOff === undefined) {
    return runOnMachines(context, { session, count: Number(flags.machines), wish, patienceMs });
  }
  const practiced = { context, army, wish, began: context.now(), patienceMs };
  if (!flags.trees) return carryOut(practiced, cutOff !== undefined);
  const { project, trees, remove } = await makeGround(env, army.settings.trees);
  try {
    const there = { ...army, settings: { ...army.settings, trees } };
    return await carryOut({
      ...practiced,
      context: { ...context, cwd: project },
      army: there,
      inTrees: true,
    });
  } finally {
    remove();
  }
}

async function carryOut(wanted: Omit<Practice, "mail">, isReturn = false): Promise<number> {
  const { context, army } = wanted;
  const { env, json, hasTerminal } = context;
  const mail = openMail(army.relayDir, { limits: army.settings.limits, origin: originOf(env) });
  // Existing mail belongs to another army, and a campaign ends by removing all mail.
  if (mail.exists() && !isReturn) refuseName(army);
  const start = { last: isReturn ? inStore(army) : undefined };
  const practiced = { ...wanted, mail };
  const isWatched = hasTerminal && !json && env["ZELLIJ"] === undefined;
  return isWatched
    ? runOnTerminal({ ...practiced, patienceMs: undefined }, start)
    : runInBackground(practiced, start);
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

function refuseName({ session }: Army): never {
  throw new OvldError({ code: "name-taken", facts: { session } });
}

/** Prepares everything that the session needs, with the wish in the overlord's inbox, and opens it. */
async function openArmy<Result>(
  practiced: Practice,
  start: StartingPoint,
  open: (files: ArmyFiles, opening: ArmyOpening) => Promise<Result>,
): Promise<Result> {
  const { context, army } = practiced;
  // Practice agents need no rituals for their play.
  const work = practiced.inTrees ? await planTrees(context, army, true, undefined) : undefined;
  const files = await planArmy(context, army, { agent: practiceAgent, rituals: new Map(), work });
  await using opening = await beginOpening(context, army);
  if (opening === undefined) return refuseName(army);
  await opening.prepare({ files, agent: practiceAgent.name, start, work });
  if (start.last === undefined) deliverWish(practiced);
  return await open(files, opening);
}

function runOnTerminal(practiced: Practice, start: StartingPoint): Promise<number> {
  const { context, army } = practiced;
  return openArmy(practiced, start, async (files, opening) => {
    const stamp = armyStamp(army.relayDir);
    // Zellij owns the terminal in the meantime, so nothing is printed.
    const left = new AbortController();
    const watching = watchCampaign(practiced, left.signal);
    try {
      await openOnTerminal(context, army, files, opening);
    } finally {
      left.abort();
    }
    opening.leave();
    // Read now, while the relays' reports still exist.
    const outcome = describeOutcome(practiced, await watching);
    if (context.stop.aborted) await endLateSession(context, army);
    // This army may have been ended and another one opened with its name.
    if (armyStamp(army.relayDir) === stamp) await endPractice(practiced);
    return context.stop.aborted ? signalCode(context.stop) : printOutcome(context, outcome);
  });
}

async function runInBackground(practiced: Practice, start: StartingPoint): Promise<number> {
  const { context, army, wish } = practiced;
  const texts = context.texts.practice;
  const heading = start.last === undefined ? texts.opening : texts.resuming;
  if (!context.json) sayLine(context, heading(army.session, wish));
  let isCreating = false;
  try {
    await openArmy(practiced, start, async (files, opening) => {
      isCreating = true;
      const panes = await openInBackground(context, army, files);
      isCreating = false;
      if (panes !== undefined) return opening.keep();
      if (start.last === undefined) removeArmy(army);
      opening.leave();
      refuseName(army);
    });
  } catch (error) {
    if (isCreating) await endLateSession(context, army);
    throw error;
  }
  if (!context.json) sayLine(context, texts.watch(army.session));
  try {
    return await reportCampaign(practiced);
  } finally {
    await endPractice(practiced);
  }
}

/** Leaves nothing behind, whatever the result of the campaign. */
async function endPractice({ context, army }: Practice): Promise<void> {
  const patiently = { ...context, stop: new AbortController().signal };
  const { problems } = await holdingArmy(patiently, army, () => endArmy(army, "nothing"));
  printProblems(context, problems);
}
