/** Ends an army: its session, its processes and its files on disk; and reports truthfully what was done. */
import { ROLES } from "../army/roles.ts";
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
import { archiveArmy } from "./archive/archive-army.ts";
import { removeArmyFiles } from "./army-files.ts";
import type { Army } from "./army.ts";
import { announcedProcesses, endProcesses, pidOf } from "./processes.ts";

interface SessionEnd {
  /** How many processes needed a signal. */
  signalled: number;
  /** The pids of processes that are still alive. */
  alive: number[];
  /** The pids of processes that the army's files name, but whose command lines are not the army's; they are left alone. */
  strangers: number[];
  /** Why Zellij did not end the session. */
  problem: ErrorReport | undefined;
}

/** Ends the session, its server, and every process that announced itself in it and is of this army. */
export async function endArmySession({ zellij, session, relayDir }: Army): Promise<SessionEnd> {
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
  const leftAlone = strangers.filter((each) => isProcessAlive(each)).map(pidOf);
  return { signalled, alive, strangers: leftAlone, problem: server === undefined ? refusal : undefined };
}

export interface EndedArmy extends Omit<SessionEnd, "problem"> {
  /** What could not be ended or removed. */
  problems: ErrorReport[];
  /** What is in its folder and was not created by ovld. */
  left: string[];
  /** What was archived; undefined if nothing should be kept. */
  archived: Archived | undefined;
}

interface Archived {
  /** Its name in the archive. */
  name: string;
  days: number;
  unread: Unread;
}

interface Unread {
  total: number;
  /** How many each role has, in the form shown to the person. */
  roles: string;
}

/**
 * What is kept: what a person may want back, in the archive; the store without what only a running army needs; or
 * nothing.
 */
type Keep = "archive" | "store" | "nothing";

/** Does not throw if a part fails: all other parts are still done. */
export async function endArmy(army: Army, { keep }: { keep: Keep }): Promise<EndedArmy> {
  const { problem, ...end } = await endArmySession(army);
  const removed =
    keep === "archive" ? archiveAndRemove(army, "closed") : removeArmy(army, { keepMail: keep === "store" });
  const problems = [problem, removed.problem].filter((report) => report !== undefined);
  return { ...end, problems, left: removed.left, archived: removed.archived };
}

export interface RemovedArmy {
  /** What others had put into the army's folder. */
  left: string[];
  problem?: ErrorReport;
  archived?: Archived | undefined;
}

/** Archives the army and removes its files. Nothing is removed that could not be archived. */
export function archiveAndRemove(army: Army, how: ArmyEnd): RemovedArmy {
  const notOurs = findForeignMark(army);
  if (notOurs !== undefined) return { left: [], problem: notOurs };
  const unread = countUnread(army.relayDir);
  let name: string | undefined;
  try {
    name = archiveArmy(army, how);
  } catch (error) {
    return { left: [], problem: reportOf(error, army.archiveDir) };
  }
  const archived = name === undefined ? undefined : { name, days: army.settings.archive.days, unread };
  return { ...removeArmy(army), archived };
}

function reportOf(error: unknown, path: string): ErrorReport {
  const explained = explainFileError(error, path);
  if (explained instanceof OvldError) return explained.report;
  throw explained;
}

export function countUnread(relayDir: string): Unread {
  const mail = openMail(relayDir);
  const waiting = ROLES.map((role) => ({ role, count: mail.countUnread(role) })).filter(
    ({ count }) => count > 0,
  );
  const total = waiting.reduce((sum, { count }) => sum + count, 0);
  return { total, roles: waiting.map(({ role, count }) => `${role} ${count}`).join(", ") };
}

/** A store of a newer ovld, or a file of another program where the store's mark would be: it is unknown what is there. */
function findForeignMark({ relayDir }: Army): ErrorReport | undefined {
  const trouble = openMail(relayDir).trouble();
  const isForeign =
    trouble?.code === "store-newer" ||
    (trouble?.code === "store-foreign" && trouble.facts.path === storePaths(relayDir).format);
  return isForeign ? trouble : undefined;
}

/** Removes the army's files. */
export function removeArmy(
  army: Army,
  { keepMail }: { keepMail: boolean } = { keepMail: false },
): RemovedArmy {
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
  if (archived !== undefined) printArchived(context, archived);
}

export function printArchived(context: CommandContext, { name, days, unread }: Archived): void {
  sayLine(context, context.texts.session.archived(name, days, unread.total, unread.roles));
}
