/** Ends an army: its session, its processes and its files on disk; and reports truthfully what was done. */
import type { ArmyEnd } from "../army/words.ts";
import { sayLine, type CommandContext } from "../command/command-context.ts";
import { formatError } from "../i18n/sentences.ts";
import { openMail } from "../mail/mail.ts";
import { storePaths } from "../mail/store/paths.ts";
import { cleanLine } from "../system/clean-text.ts";
import { explainFileError } from "../system/file-error.ts";
import { OvldError, type ErrorReport } from "../system/ovld-error.ts";
import { isProcessAlive } from "../system/process.ts";
import { livingServer, presentName, removeDeadSocket } from "../zellij/session-record.ts";
import { endSession } from "../zellij/sessions.ts";
import { hasSocket } from "../zellij/socket.ts";
import { keepSocketOf, removeDeadStart } from "../zellij/zellij.ts";
import { archiveArmy } from "./archive/archive.ts";
import { summarizeUnread } from "./archive/store-contents.ts";
import { removeArmyFiles } from "./army-files.ts";
import { closeTrees, findWorkLeft, printWorkLeft } from "./army-trees.ts";
import type { Army } from "./army.ts";
import { announcedProcesses, endProcesses, pidOf } from "./processes.ts";

/** Ends the session, its server, and every process that announced itself in it and is of this army. */
export async function endArmySession({ zellij, session, relayDir }: Army) {
  const { ours, strangers } = announcedProcesses(relayDir);
  const isRenamed = presentName(zellij, session) !== session;
  const putSocketBack = isRenamed && hasSocket(zellij, session) ? keepSocketOf(zellij, session) : undefined;
  const refusal = await endSession(zellij, session).then(
    () => undefined,
    (error: unknown) => reportOf(error, relayDir),
  );
  // If Zellij cannot end the session because it is frozen or unreachable, its server process is ended directly.
  const server = livingServer(zellij, session);
  const { signalled, alive } = await endProcesses(server === undefined ? ours : [server, ...ours]);
  removeDeadSocket(zellij, session);
  putSocketBack?.();
  removeDeadStart(zellij);
  const lookAfter = alive.length > 0 ? findWorkLeft : closeTrees;
  const work = await lookAfter(relayDir, zellij.env);
  return {
    work,
    /** How many processes needed a signal. */
    signalled,
    /** The pids of processes that are still alive. */
    alive,
    /** The pids of processes that the army's files name, but whose command lines are not the army's; they are left alone. */
    strangers: strangers.filter((each) => isProcessAlive(each)).map(pidOf),
    /** Why Zellij did not end the session. */
    problem: server === undefined ? refusal : undefined,
    /** Why the trees could not be looked after; they stay as they are. */
    treesProblem: work?.problem === undefined ? undefined : reportOf(work.problem, relayDir),
  };
}

type SessionEnd = Awaited<ReturnType<typeof endArmySession>>;

interface RemovedArmy {
  /** What is in its folder and was not created by ovld. */
  left: string[];
  problem?: ErrorReport;
  /** What was archived; undefined if nothing should be kept. */
  archived?: { name: string; days: number; unread: ReturnType<typeof summarizeUnread> } | undefined;
}

/** With what could not be ended or removed. */
export type EndedArmy = Omit<SessionEnd & RemovedArmy, "problem" | "treesProblem"> & {
  problems: ErrorReport[];
};

/**
 * Does not throw if a part fails: all other parts are still done. What is kept: what a person may want back, in the
 * archive; the store without what only a running army needs; or nothing.
 */
export async function endArmy(army: Army, keep: "archive" | "store" | "nothing"): Promise<EndedArmy> {
  const { problem, treesProblem, ...end } = await endArmySession(army);
  const { problem: other, ...removed } =
    keep === "archive" ? archiveAndRemove(army, "closed") : removeArmy(army, keep === "store");
  return {
    ...end,
    ...removed,
    problems: [problem, treesProblem, other].filter((report) => report !== undefined),
  };
}

/** Archives the army and removes its files. Nothing is removed that could not be archived. */
export function archiveAndRemove(army: Army, how: ArmyEnd): RemovedArmy {
  const notOurs = findForeignMark(army);
  if (notOurs !== undefined) return { left: [], problem: notOurs };
  const unread = summarizeUnread(army.relayDir);
  try {
    const name = archiveArmy(army, how);
    const archived = name === undefined ? undefined : { name, days: army.settings.archive.days, unread };
    return { ...removeArmy(army), archived };
  } catch (error) {
    return { left: [], problem: reportOf(error, army.archiveDir) };
  }
}

function reportOf(error: unknown, path: string): ErrorReport {
  const explained = explainFileError(error, path);
  if (explained instanceof OvldError) return explained.report;
  throw explained;
}

/** A store of a newer ovld, or a file of another program where the store's mark would be: it is unknown what is there. */
function findForeignMark({ relayDir }: Army): ErrorReport | undefined {
  const trouble = openMail(relayDir).trouble();
  const isForeign = trouble?.code === "store-foreign" && trouble.facts.path === storePaths(relayDir).format;
  return isForeign || trouble?.code === "store-newer" ? trouble : undefined;
}

export function removeArmy(army: Army, keepMail = false): RemovedArmy {
  const { relayDir } = army;
  try {
    const notOurs = findForeignMark(army);
    if (notOurs !== undefined) return { left: [], problem: notOurs };
    const mail = openMail(relayDir);
    if (mail.exists()) removeArmyFiles(relayDir);
    return mail.cleanUp({ keepMail });
  } catch (error) {
    return { left: [], problem: reportOf(error, relayDir) };
  }
}

/** Says that everything is cleaned up only if it is. */
export function printEndedArmy(context: CommandContext, session: string, done: EndedArmy): void {
  const texts = context.texts.session;
  const { signalled, alive, strangers, problems, left, archived } = done;
  const isClean = problems.length + alive.length + strangers.length + left.length === 0;
  if (signalled > alive.length) sayLine(context, texts.hadToKill(signalled - alive.length));
  sayLine(context, isClean ? texts.ended(session) : texts.endedNotClean(session));
  for (const problem of problems) sayLine(context, texts.notDone(formatError(problem, context.texts)));
  if (alive.length > 0) sayLine(context, texts.notEnded(alive.join(", ")));
  if (strangers.length > 0) sayLine(context, texts.notOurs(strangers.join(", ")));
  for (const path of left) sayLine(context, texts.leftAlone(cleanLine(path)));
  if (done.work !== undefined) printWorkLeft(context, done.work);
  if (archived !== undefined) printArchived(context, archived);
}

export function printArchived(
  context: CommandContext,
  { name, days, unread }: NonNullable<RemovedArmy["archived"]>,
): void {
  sayLine(context, context.texts.session.archived(name, days, unread.total, unread.roles));
}
