/**
 * What a summon starts with: nothing, what the last army left, or an army from the archive. Chooses it, prepares its store
 * before there is a session, and undoes that if the summon fails. What an earlier army left is never lost: it stays where
 * it was, or the archive has it.
 */
import { existsSync, mkdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isRole, ROLES } from "../../army/roles.ts";
import { printProblems, sayLine, type CommandContext } from "../../command/command-context.ts";
import { formatError } from "../../i18n/sentences.ts";
import { openMail, type Mail } from "../../mail/mail.ts";
import type { ArmyRecord } from "../../mail/records/army-record.ts";
import { cleanLine } from "../../system/clean-text.ts";
import { moveFile, removeTree, syncPath } from "../../system/durable-files.ts";
import { OvldError, type ErrorReport } from "../../system/ovld-error.ts";
import { listFolder } from "../../system/paths.ts";
import { identifyOurselves, isProcessAlive } from "../../system/process.ts";
import { ask } from "../../terminal/ask.ts";
import { rolesOnMachine, type Army } from "../army.ts";
import type { SummonFlags } from "../plan-army.ts";
import { archiveAndRemove, endArmy, printArchived, removeArmy, type EndedArmy } from "../end-army.ts";
import { isArmyRunning } from "../processes.ts";
import { isArchived, listArchives, removeArchive, type ArchivedArmy } from "./archive.ts";
import { findLastArmy, inStore, type LastArmy } from "./past-armies.ts";
import { endBeforeFailedReturn, formatUnread } from "./store-contents.ts";
import { tryTo } from "../../system/file-error.ts";

export interface StartingPoint {
  /** The army to bring back; undefined for a new one: what an earlier army left is archived first. */
  last: LastArmy | undefined;
  /** If its store was in place and is gone by then, that is an error, unless this is set. */
  orNothing?: boolean;
}

const NOTHING: StartingPoint = { last: undefined };

/** Undefined if the person wants neither. Throws if they have to decide and cannot be asked. */
export async function chooseStartingPoint(
  context: CommandContext,
  army: Army,
  flags: SummonFlags,
  archived?: string,
): Promise<StartingPoint | undefined> {
  const { fresh, resume, json } = flags;
  const { session, archiveDir } = army;
  if (resume && fresh) throw new OvldError({ code: "resume-or-fresh", facts: {} });
  if (isArmyRunning(army)) {
    // The person joins the running army; this matters only if it ends at this very moment.
    if (archived !== undefined) throw new OvldError({ code: "name-taken", facts: { session } });
    return fresh ? NOTHING : { last: inStore(army), orNothing: !resume };
  }
  if (!fresh && !json) {
    // It may be the army that the person is looking for.
    const unreadable = listArchives(archiveDir).filter(
      (each) => each.isUnreadable && each.session === session,
    );
    for (const { name, path } of unreadable)
      printProblems(context, [{ code: "archive-unreadable", facts: { name, path } }]);
  }
  const last = findLastArmy(army, context.cwd, archived);
  if (last === undefined) {
    if (!resume) return NOTHING;
    throw nothingToResume(context, army);
  }
  // A store of a newer ovld, or one that is not ovld's, is not touched, not even to archive it. One in the archive is
  // not in the way of a new army.
  if (last.archive === undefined && last.trouble !== undefined && last.trouble.code !== "army-file")
    throw new OvldError(last.trouble);
  if (fresh) return NOTHING;
  const problem = whyNotReturn(context, last, flags);
  const mustReturn = resume || archived !== undefined;
  if (!mustReturn && (!context.hasTerminal || json)) return withoutAsking(context, last, json, problem);
  if (mustReturn && problem !== undefined) throw new OvldError(problem);
  if (!json) printLast(context, army, last);
  return mustReturn ? { last } : askPerson(context, last, problem);
}

function nothingToResume({ cwd: folder }: CommandContext, { session }: Army): OvldError {
  return new OvldError({ code: "nothing-to-resume", facts: { session, folder } });
}

/** An army that was cut off may be in the middle of something, so it is archived only on request. */
function withoutAsking(
  context: CommandContext,
  { session, record, ended, archive }: LastArmy,
  json: boolean,
  problem: ErrorReport | undefined,
): StartingPoint {
  if (ended.how === "crashed" && archive === undefined)
    throw new OvldError({ code: "army-crashed", facts: { session, folder: record?.folder ?? "?" } });
  if (!json && problem === undefined)
    sayLine(context, context.texts.returning.hint(ageOf(context, ended.at)));
  return NOTHING;
}

async function askPerson(
  context: CommandContext,
  last: LastArmy,
  problem: ErrorReport | undefined,
): Promise<StartingPoint | undefined> {
  const texts = context.texts.returning;
  if (problem !== undefined) sayLine(context, formatError(problem, context.texts));
  const answer = (await ask(problem === undefined ? texts.ask : texts.askAnew, context.stop)) ?? "";
  if (problem === undefined && texts.bring.test(answer)) return { last };
  if (texts.anew.test(answer)) return NOTHING;
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
  const { folder, agent, roles = ROLES } = record ?? {};
  // A person who names an army means that one, wherever it worked.
  const isElsewhere = folder !== undefined && folder !== context.cwd && flags.army === undefined;
  if (isElsewhere && existsSync(folder)) return { code: "army-worked-elsewhere", facts: { session, folder } };
  if (agent !== undefined && flags.agent !== undefined && flags.agent !== agent)
    return { code: "army-agent", facts: { session, was: agent, asked: flags.agent } };
  // An army on several machines has some of its roles here.
  const isComplete = roles.length === ROLES.length || rolesOnMachine(context, session).length < ROLES.length;
  if (isComplete && roles.every(isRole)) return undefined;
  return { code: "army-roles", facts: { session: archive?.name ?? session, roles: [...roles] } };
}

/** What there is, in a few lines, and what has changed. */
function printLast(
  context: CommandContext,
  army: Army,
  { session, record, ended, contents }: LastArmy,
): void {
  const texts = context.texts.returning;
  const conversations = contents.conversations.map(({ role, last }) => `${role} ${ageOf(context, last)}`);
  sayLine(context, texts.ended(session, ended.how, ageOf(context, ended.at)));
  sayLine(context, texts.conversations(conversations.join(", ")));
  sayLine(context, texts.unread(formatUnread(contents.unread)));
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
export function describeReturn({ last }: StartingPoint): object | null {
  if (last === undefined) return null;
  const { archive, ended, contents } = last;
  return { archive: archive?.name ?? null, ended, ...contents };
}

export interface PreparedStore {
  /** What the summon records about the army besides where and how it works. */
  origin: Pick<ArmyRecord, "archive">;
  /** Takes the army down again. */
  undo: () => Promise<EndedArmy>;
}

/** Call it with the army's lock held, while no session of the army is running. */
export function prepareStore(
  context: CommandContext,
  army: Army,
  { last, orNothing }: StartingPoint,
): PreparedStore {
  const { archiveDir, relayDir } = army;
  const { archive } = last ?? {};
  const isInPlace = last !== undefined && archive === undefined;
  const mail = openMail(relayDir);
  const found = mail.army();
  // The army was brought back from the archive and cut off before the archived copy was removed.
  const isNewer = archive && found?.archive === archive.name && !isArchived(archiveDir, found);
  if (!isInPlace && !isNewer && mail.exists()) archiveLastArmy(context, army, archive);
  const isGone = isInPlace && !mail.exists();
  if (isGone && !orNothing) throw nothingToResume(context, army);
  if (last === undefined || isGone) return { origin: {}, undo: () => endArmy(army, "nothing") };
  if (archive && !isNewer) bringBack(army, archive);
  const before = mail.army();
  const { at, how } = last.ended;
  // An earlier summon may have failed after it noted the return.
  if (endBeforeFailedReturn(mail) === undefined) mail.note({ event: "returned", ended: at, how });
  return {
    origin: before?.archive === undefined ? {} : { archive: before.archive },
    async undo() {
      if (archive === undefined) {
        restoreRecord(mail, before);
        return endArmy(army, "store");
      }
      // Its agents may have read mail in the meantime, so its current state replaces the archived army it was
      // brought back from.
      restoreRecord(mail, before && { ...before, archive: undefined });
      const done = await endArmy(army, "archive");
      if (done.archived !== undefined) removeArchive(archiveDir, archive.name);
      return done;
    },
  };
}

/** A mere copy of the archived army that should be brought back need not be archived again. */
function archiveLastArmy(context: CommandContext, army: Army, wanted: ArchivedArmy | undefined): void {
  const { problem, archived } = archiveAndRemove(army, "crashed");
  if (problem !== undefined) throw new OvldError(problem);
  if (archived && archived.name !== wanted?.name && !context.json) printArchived(context, archived);
}

/** Puts back the record of the earlier army, whose store was kept. */
function restoreRecord(mail: Mail, record: ArmyRecord | undefined): void {
  // Why the summon failed is what the person has to know.
  if (record !== undefined) tryTo(() => mail.recordArmy(record));
}

/** The army is running: from here on its own store counts, and the archived copy is no longer needed. */
export function finishReturn({ relayDir, archiveDir }: Army): void {
  const mail = openMail(relayDir);
  const { archive, ...record } = mail.army() ?? {};
  if (archive === undefined || !("folder" in record)) return;
  // The next end of the army removes it.
  tryTo(() => {
    removeArchive(archiveDir, archive);
    mail.recordArmy(record);
  });
}

/** The points at which a process may be killed; a test stops at each of them. */
export type ReturnStep = "copied" | "linked" | "in place";

/**
 * Puts the store of an archived army in place, completely or not at all. There must be no store yet. Throws if
 * something else is in the army's folder. Call it with the army's lock held.
 *
 * The archive keeps the army until its session is running, so a process that is killed in between loses nothing. The
 * store's own file names the archived army from which it was brought back.
 */
export function bringBack(
  army: Army,
  { name, path }: ArchivedArmy,
  onStep: (step: ReturnStep) => void = () => {},
): void {
  const { relayDir } = army;
  const parent = dirname(relayDir);
  const prefix = `.${basename(relayDir)}.returning-`;
  // Copies of processes that were killed while making one.
  for (const each of listFolder(parent))
    if (each.startsWith(prefix) && !isProcessAlive(each.slice(prefix.length))) removeTree(join(parent, each));
  // What a summon left that was killed while it created an empty store.
  const { left, problem } = removeArmy(army);
  if (problem !== undefined) throw new OvldError(problem);
  const [foreign] = left;
  if (foreign !== undefined) throw new OvldError({ code: "store-foreign", facts: { path: foreign } });
  mkdirSync(parent, { recursive: true, mode: 0o700 });
  const aside = join(parent, `${prefix}${identifyOurselves()}`);
  try {
    openMail(path).copyTo(aside, { forUse: true });
    onStep("copied");
    const copy = openMail(aside);
    // Another command has removed it in the meantime. Its mark is copied last, so the copy is not whole.
    if (!copy.exists()) throw new OvldError({ code: "no-archive", facts: { name } });
    const record = copy.army();
    if (record !== undefined) copy.recordArmy({ ...record, archive: name });
    onStep("linked");
    moveFile(aside, relayDir);
    syncPath(parent);
    onStep("in place");
  } finally {
    removeTree(aside);
  }
}
