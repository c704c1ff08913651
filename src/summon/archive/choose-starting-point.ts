/** Chooses what a summon starts with: nothing, what the last army left, or an army from the archive. */
import { existsSync } from "node:fs";
import { isRole, ROLES } from "../../army/roles.ts";
import { printProblems, sayLine, type CommandContext } from "../../command/command-context.ts";
import { formatError } from "../../i18n/sentences.ts";
import { cleanLine } from "../../system/clean-text.ts";
import { OvldError, type ErrorReport } from "../../system/ovld-error.ts";
import { ask } from "../../terminal/ask.ts";
import type { Army } from "../army.ts";
import type { SummonFlags } from "../check-summon.ts";
import { rolesOnMachine } from "../other-machines.ts";
import { isArmyRunning } from "../processes.ts";
import { listArchives } from "./archive.ts";
import { findLastArmy, inStore, type LastArmy } from "./last-army.ts";

export type StartingPoint =
  /** What an earlier army left is archived first. */
  | { from: "nothing" }
  /** The store is still where it was. If it is gone by then, that is an error, unless `orNothing`. */
  | { from: "store"; last: LastArmy; orNothing?: boolean }
  | { from: "archive"; last: LastArmy; archive: NonNullable<LastArmy["archive"]> };

/** Undefined if the person wants neither. Throws if they have to decide and cannot be asked. */
export async function chooseStartingPoint(
  context: CommandContext,
  army: Army,
  flags: SummonFlags,
  archived?: string,
): Promise<StartingPoint | undefined> {
  if (flags.resume && flags.fresh) throw new OvldError({ code: "resume-or-fresh", facts: {} });
  if (isArmyRunning(army)) return startOfRunning(army, flags, archived);
  if (!flags.fresh && !flags.json) printUnreadable(context, army);
  const last = findLastArmy(army, context.cwd, archived);
  if (last === undefined) {
    if (!flags.resume) return { from: "nothing" };
    throw new OvldError({ code: "nothing-to-resume", facts: { session: army.session, folder: context.cwd } });
  }
  // A store of a newer ovld, or one that is not ovld's, is not touched, not even to archive it. One in the archive is
  // not in the way of a new army.
  if (last.archive === undefined && last.trouble !== undefined && last.trouble.code !== "army-file")
    throw new OvldError(last.trouble);
  if (flags.fresh) return { from: "nothing" };
  const problem = whyNotReturn(context, last, flags);
  if (flags.resume || archived !== undefined) {
    if (problem !== undefined) throw new OvldError(problem);
    if (!flags.json) printLast(context, army, last);
    return startFrom(last);
  }
  if (!context.hasTerminal || flags.json) return withoutAsking(context, last, flags, problem);
  printLast(context, army, last);
  return askPerson(context, last, problem);
}

/** The person joins the running army; this matters only if it ends at this very moment. */
function startOfRunning(
  army: Army,
  { fresh, resume }: SummonFlags,
  archived: string | undefined,
): StartingPoint {
  if (archived !== undefined) throw new OvldError({ code: "name-taken", facts: { session: army.session } });
  const last = inStore(army);
  return last === undefined || fresh ? { from: "nothing" } : { from: "store", last, orNothing: !resume };
}

/** It may be the army that the person is looking for. */
function printUnreadable(context: CommandContext, { archiveDir, session }: Army): void {
  const unreadable = listArchives(archiveDir).filter((each) => each.isUnreadable && each.session === session);
  printProblems(
    context,
    unreadable.map(({ name, path }) => ({ code: "archive-unreadable", facts: { name, path } })),
  );
}

function startFrom(last: LastArmy): StartingPoint {
  return last.archive === undefined
    ? { from: "store", last }
    : { from: "archive", last, archive: last.archive };
}

/** An army that was cut off may be in the middle of something, so it is archived only on request. */
function withoutAsking(
  context: CommandContext,
  last: LastArmy,
  { json }: SummonFlags,
  problem: ErrorReport | undefined,
): StartingPoint {
  const { session, record, ended } = last;
  if (ended.how === "crashed" && last.archive === undefined)
    throw new OvldError({ code: "army-crashed", facts: { session, folder: record?.folder ?? "?" } });
  if (!json && problem === undefined)
    sayLine(context, context.texts.returning.hint(ageOf(context, ended.at)));
  return { from: "nothing" };
}

async function askPerson(
  context: CommandContext,
  last: LastArmy,
  problem: ErrorReport | undefined,
): Promise<StartingPoint | undefined> {
  const texts = context.texts.returning;
  if (problem !== undefined) sayLine(context, formatError(problem, context.texts));
  const answer = await ask(problem === undefined ? texts.ask : texts.askAnew, context.stop);
  if (problem === undefined && texts.bring.test(answer ?? "")) return startFrom(last);
  if (texts.anew.test(answer ?? "")) return { from: "nothing" };
  sayLine(context, texts.cancelled);
  return undefined;
}

/** What prevents the army from being brought back here as it was. */
function whyNotReturn(
  context: CommandContext,
  { session, record, trouble, archive }: LastArmy,
  flags: SummonFlags,
): ErrorReport | undefined {
  if (trouble !== undefined) return trouble;
  const { cwd } = context;
  const { folder, agent, roles = ROLES } = record ?? {};
  // A person who names an army means that one, wherever it worked.
  const isNamed = flags.army !== undefined;
  if (folder !== undefined && folder !== cwd && !isNamed && existsSync(folder))
    return { code: "army-worked-elsewhere", facts: { session, folder } };
  if (agent !== undefined && flags.agent !== undefined && flags.agent !== agent)
    return { code: "army-agent", facts: { session, was: agent, asked: flags.agent } };
  // An army on several machines has some of its roles here.
  const isComplete = roles.length === ROLES.length || rolesOnMachine(context, session).length < ROLES.length;
  if (!isComplete || !roles.every(isRole))
    return { code: "army-roles", facts: { session: archive?.name ?? session, roles: [...roles] } };
  return undefined;
}

/** What there is, in a few lines, and what has changed. */
function printLast(
  context: CommandContext,
  army: Army,
  { session, record, ended, contents }: LastArmy,
): void {
  const texts = context.texts.returning;
  const conversations = contents.conversations.map(({ role, last }) => `${role} ${ageOf(context, last)}`);
  const unread = contents.unread.map(({ role, count }) => `${role} ${count}`);
  sayLine(context, texts.ended(session, ended.how, ageOf(context, ended.at)));
  sayLine(context, texts.conversations(conversations.join(", ")));
  sayLine(context, texts.unread(unread.join(", ")));
  if (contents.unsent > 0) sayLine(context, texts.unsent(contents.unsent));
  if (record === undefined) return;
  const { folder, agent } = record;
  if (folder !== context.cwd) sayLine(context, texts.elsewhere(cleanLine(folder), existsSync(folder)));
  if (agent !== army.settings.agent) sayLine(context, texts.agentStays(agent, army.settings.agent));
}

function ageOf({ texts, now }: CommandContext, moment: string): string {
  return texts.status.age((now() - Date.parse(moment)) / 1_000);
}

/** For programs: which army was brought back. */
export function describeReturn(start: StartingPoint): object | null {
  if (start.from === "nothing") return null;
  const { archive, ended, contents } = start.last;
  return { archive: archive?.name ?? null, ended, ...contents };
}
