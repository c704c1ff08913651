/**
 * The archive: ended armies, one folder each. Such a folder is a store like that of a running army, so it can be read
 * in the same way. It gets its name when it is complete, and loses it before it is deleted.
 */
import { accessSync, constants, lstatSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { ArmyEnd } from "../../army/words.ts";
import { sayLine, type CommandContext } from "../../command/command-context.ts";
import { archiveFolder } from "../../config/folders.ts";
import type { Settings } from "../../config/settings.ts";
import { openMail, type Mail } from "../../mail/mail.ts";
import type { ArmyRecord } from "../../mail/records/army-record.ts";
import { moveFile, removeTree, syncPath } from "../../system/durable-files.ts";
import { tryTo, explainFileError, hasErrorCode, succeeds } from "../../system/file-error.ts";
import { OvldError } from "../../system/ovld-error.ts";
import { identifyOurselves, isProcessAlive } from "../../system/process.ts";
import { DAY_MS, formatLocalTime } from "../../system/text.ts";
import type { Army } from "../army.ts";
import { describeContents, findEnd, isWorthResuming } from "./store-contents.ts";

export type ArchivedArmy = NonNullable<ReturnType<typeof readArchive>>;

const NAME = /^([A-Za-z0-9][A-Za-z0-9_-]*)@\d{8}-\d{6}(?:-\d+)?$/;

export function isArchiveName(text: string): boolean {
  return NAME.test(text);
}

/** Newest first. */
export function listArchives(folder: string): ArchivedArmy[] {
  return namesIn(folder)
    .flatMap((name) => readArchive(folder, name) ?? [])
    .toSorted((one, other) => other.ended - one.ended);
}

/** Whether the archive has this army completely, so that its store, complete or not, is only a copy. */
export function isArchived(folder: string, record: ArmyRecord | undefined): boolean {
  if (record?.ended === undefined || record.archive === undefined) return false;
  return readArchive(folder, record.archive)?.isUnreadable === false;
}

/** Throws if there is none with that name, or it cannot be read. */
export function findArchive(folder: string, name: string): ArchivedArmy {
  const found = readArchive(folder, name);
  if (found === undefined) throw new OvldError({ code: "no-archive", facts: { name } });
  if (found.isUnreadable)
    throw new OvldError({ code: "archive-unreadable", facts: { name, path: found.path } });
  return found;
}

/** Undefined if there is none with that name. */
function readArchive(folder: string, name: string) {
  const [, session] = NAME.exec(name) ?? [];
  const path = join(folder, name);
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (session === undefined || !found?.isDirectory()) return undefined;
  const mail = openMail(path);
  const record = mail.army();
  return {
    /** Such as `overlord@20261116-031200`. No running army can have such a name. */
    name,
    session,
    path,
    /** Undefined if the army's own file is missing or cannot be understood. */
    record,
    /** When it ended, or else when it was archived, in milliseconds since 1970. */
    ended: Date.parse(record?.ended?.at ?? "") || found.mtimeMs,
    /** True if it is not known what is in the folder: it may not be opened, or its store is not there. */
    isUnreadable: !mail.exists(),
  };
}

/** The points at which a process may be killed; a test stops at each of them. */
export type ArchiveStep = "end noted" | "copied" | "archived" | "marked" | "replaced";

/**
 * Puts an army that is not running into the archive: its unread mail, statuses, conversations and journal. Its store is
 * only read, except that its end is recorded. The caller removes it, once the archive has it.
 *
 * Returns its name in the archive; undefined if there was nothing to keep, or nothing should be kept.
 */
export function archiveArmy(
  { session, relayDir, archiveDir, settings, zellij }: Army,
  how: ArmyEnd,
  onStep: (step: ArchiveStep) => void = () => {},
): string | undefined {
  const mail = openMail(relayDir);
  if (!mail.exists() || mail.trouble()?.code === "store-newer") return undefined;
  const before = mail.army();
  if (isArchived(archiveDir, before)) return before?.archive;
  // A history that a person may want to read is worth keeping, too.
  const isEmpty =
    !isWorthResuming(describeContents(relayDir, zellij.env)) && mail.journal().next().next().done;
  if (settings.archive.days === 0 || isEmpty) return undefined;
  const name = findCopy(archiveDir, mail) ?? copyToArchive();
  onStep("archived");
  const noted = mail.army();
  if (noted !== undefined) mail.recordArmy({ ...noted, archive: name });
  onStep("marked");
  // It contains everything that the archived army had from which this one was brought back.
  if (before?.archive !== undefined) removeArchive(archiveDir, before.archive);
  onStep("replaced");
  return name;

  function copyToArchive(): string {
    const ended = noteEnd(mail, before, how);
    onStep("end noted");
    return addToArchive(archiveDir, { session, ended }, (path) => {
      mail.copyTo(path, { forUse: false });
      onStep("copied");
    });
  }
}

/**
 * The name of a complete copy made by a process that was then killed or could not remove the store: it shares the
 * journal with the store, or has the same end and a journal of the same size.
 */
function findCopy(archiveDir: string, mail: Mail): string | undefined {
  const record = mail.army();
  const journal = mail.journalFile();
  return listArchives(archiveDir).find((each) => {
    if (each.isUnreadable) return false;
    const copy = openMail(each.path).journalFile();
    if (copy !== undefined && copy.identity === journal?.identity) return true;
    const isSameEnd = record?.ended !== undefined && each.record?.ended?.at === record.ended.at;
    return isSameEnd && each.record?.session === record.session && copy?.size === journal?.size;
  })?.name;
}

/** An end that was recorded before stays. A file that cannot be understood is left as it is. */
function noteEnd(mail: Mail, record: ArmyRecord | undefined, how: ArmyEnd): Date {
  const ended = record?.ended ?? (how === "crashed" ? findEnd(mail) : { at: new Date().toISOString(), how });
  if (record?.ended === undefined && how !== "crashed") mail.note({ event: "ended", how });
  if (record !== undefined && (record.ended === undefined || record.archive !== undefined))
    mail.recordArmy({ ...record, archive: undefined, ended });
  return new Date(ended.at);
}

/** Fills a new folder and gives it the first free name; the archive has it completely or not at all. */
export function addToArchive(
  folder: string,
  { session, ended }: { session: string; ended: Date },
  fill: (path: string) => void,
): string {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found !== undefined && !found.isDirectory())
    throw new OvldError({ code: "store-foreign", facts: { path: folder } });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const aside = join(folder, asideName("new"));
  // In the person's own time, as `ovld log` shows it.
  const stamp = formatLocalTime(ended).replaceAll(/[-:]/g, "").replace(" ", "-");
  try {
    fill(aside);
    for (let number = 1; ; number += 1) {
      const name = `${session}@${stamp}${number === 1 ? "" : `-${number}`}`;
      if (!takesName(aside, join(folder, name))) continue;
      syncPath(folder);
      return name;
    }
  } finally {
    removeTree(aside);
  }
}

/** False if an archived army already has the name. */
function takesName(aside: string, path: string): boolean {
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) return false;
  try {
    return moveFile(aside, path);
  } catch (error) {
    if (hasErrorCode(error, "ENOTEMPTY", "EEXIST", "ENOTDIR")) return false;
    throw error;
  }
}

/** False if there is none with that name. */
export function removeArchive(folder: string, name: string): boolean {
  const [path, aside] = [join(folder, name), join(folder, asideName("old"))];
  if (!isArchiveName(name)) return false;
  try {
    // One that may not be deleted, such as another user's, keeps its name.
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    if (hasErrorCode(error, "ENOENT")) return false;
    throw explainFileError(error, path);
  }
  if (!moveFile(path, aside)) return false;
  removeTree(aside);
  return true;
}

/**
 * Removes archived armies that have been kept long enough, and says which. What cannot be removed is tried again next
 * time.
 */
export function tidyArchive(context: CommandContext, { archive }: Pick<Settings, "archive">): void {
  const texts = context.texts.session;
  const done = tryTo(() => removeExpired(archiveFolder(context.env), archive.days, context.now()));
  // What could not be removed does no harm.
  if (done === undefined || context.json) return;
  const { removed, newer } = done;
  if (removed.length > 0) sayLine(context, texts.expired(removed.join(", ")));
  if (newer.length > 0) sayLine(context, texts.expiredNewer(newer.join(", ")));
}

/**
 * Removes armies that have been kept long enough, and what killed processes left. What cannot be removed stays. Returns
 * the names of those that were removed, and of those that a newer ovld has written, which may keep them longer than this
 * one knows.
 */
export function removeExpired(folder: string, days: number, now: number) {
  for (const name of namesIn(folder)) {
    const owner = ASIDE.exec(name)?.[1];
    if (owner !== undefined && !isProcessAlive(owner)) succeeds(() => removeTree(join(folder, name)));
  }
  const removed: string[] = [];
  const newer: string[] = [];
  for (const { name, path, ended, isUnreadable } of listArchives(folder)) {
    if (isUnreadable || now - ended <= days * DAY_MS) continue;
    const trouble = openMail(path).trouble();
    const isNewer = trouble?.code === "army-file" && trouble.facts.problem === "newer";
    if (isNewer || trouble?.code === "store-newer") newer.push(name);
    else if (succeeds(() => removeArchive(folder, name))) removed.push(name);
  }
  return { removed, newer };
}

const ASIDE = /^\.(?:new|old)-(\d.*)$/;

function asideName(kind: "new" | "old"): string {
  return `.${kind}-${identifyOurselves()}-${Math.random().toString(36).slice(2, 8)}`;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (hasErrorCode(error, "ENOENT", "ENOTDIR")) return [];
    throw explainFileError(error, folder);
  }
}
