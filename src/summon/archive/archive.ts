/**
 * The archive: ended armies, one folder each. Such a folder is a store like that of a running army, so it can be read
 * in the same way. It gets its name when it is complete, and loses it before it is deleted.
 */
import { accessSync, constants, lstatSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { sayLine, type CommandContext } from "../../command/command-context.ts";
import { archiveFolder } from "../../config/folders.ts";
import type { Settings } from "../../config/settings.ts";
import { openMail } from "../../mail/mail.ts";
import type { ArmyRecord } from "../../mail/records/army-record.ts";
import { moveFile, removeTree, syncFolder } from "../../system/durable-files.ts";
import { explainFileError, hasErrorCode } from "../../system/file-error.ts";
import { OvldError } from "../../system/ovld-error.ts";
import { identifyOurselves, isProcessAlive } from "../../system/process.ts";
import { formatLocalTime } from "../../system/text.ts";

export interface ArchivedArmy {
  /** Such as `overlord@20261116-031200`. No running army can have such a name. */
  name: string;
  /** The name it was summoned with. */
  session: string;
  path: string;
  /** Undefined if the army's own file is missing or cannot be understood. */
  record: ArmyRecord | undefined;
  /** True if it is not known what is in the folder: it may not be opened, or its store is not there. */
  isUnreadable: boolean;
  /** When it ended, or else when it was archived, in milliseconds since 1970. */
  ended: number;
}

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
  const { ended, archive } = record ?? {};
  if (ended === undefined || archive === undefined || !isArchiveName(archive)) return false;
  return readArchive(folder, archive)?.isUnreadable === false;
}

/** Throws if there is none with that name, or it cannot be read. */
export function findArchive(folder: string, name: string): ArchivedArmy {
  const found = isArchiveName(name) ? readArchive(folder, name) : undefined;
  if (found === undefined) throw new OvldError({ code: "no-archive", facts: { name } });
  if (found.isUnreadable)
    throw new OvldError({ code: "archive-unreadable", facts: { name, path: found.path } });
  return found;
}

function readArchive(folder: string, name: string): ArchivedArmy | undefined {
  const [, session] = NAME.exec(name) ?? [];
  const path = join(folder, name);
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (session === undefined || !found?.isDirectory()) return undefined;
  const mail = openMail(path);
  const record = mail.army();
  const ended = Date.parse(record?.ended?.at ?? "") || found.mtimeMs;
  return { name, session, path, record, ended, isUnreadable: !mail.exists() };
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
  try {
    fill(aside);
    for (let number = 1; ; number += 1) {
      const name = `${session}@${stampOf(ended)}${number === 1 ? "" : `-${number}`}`;
      if (!takesName(aside, join(folder, name))) continue;
      syncFolder(folder);
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
  let expired: Expired;
  try {
    expired = removeExpired(archiveFolder(context.env), archive.days, context.now());
  } catch {
    // It does no harm.
    return;
  }
  if (context.json) return;
  const texts = context.texts.session;
  const { removed, newer } = expired;
  if (removed.length > 0) sayLine(context, texts.expired(removed.join(", ")));
  if (newer.length > 0) sayLine(context, texts.expiredNewer(newer.join(", ")));
}

const DAY_MS = 86_400_000;

export interface Expired {
  /** The names of armies that were removed. */
  removed: string[];
  /** Those that a newer ovld has written: it may keep them longer than this one knows. */
  newer: string[];
}

/** Removes armies that have been kept long enough, and what killed processes left. What cannot be removed stays. */
export function removeExpired(folder: string, days: number, now: number): Expired {
  for (const name of namesIn(folder)) {
    const owner = ASIDE.exec(name)?.[1];
    if (owner !== undefined && !isProcessAlive(owner)) succeeds(() => removeTree(join(folder, name)));
  }
  const expired = listArchives(folder).filter(
    ({ ended, isUnreadable }) => !isUnreadable && now - ended > days * DAY_MS,
  );
  const [newer, others] = [expired.filter(isNewer), expired.filter((each) => !isNewer(each))];
  const removed = others.filter(({ name }) => succeeds(() => removeArchive(folder, name)));
  return { removed: removed.map(({ name }) => name), newer: newer.map(({ name }) => name) };
}

function isNewer({ path }: ArchivedArmy): boolean {
  const trouble = openMail(path).trouble();
  return (
    trouble?.code === "store-newer" || (trouble?.code === "army-file" && trouble.facts.problem === "newer")
  );
}

function succeeds(action: () => unknown): boolean {
  try {
    action();
    return true;
  } catch {
    return false;
  }
}

const ASIDE = /^\.(?:new|old)-(\d.*)$/;

function asideName(kind: "new" | "old"): string {
  return `.${kind}-${identifyOurselves()}-${Math.random().toString(36).slice(2, 8)}`;
}

/** In the person's own time, as `ovld log` shows it. */
function stampOf(moment: Date): string {
  return formatLocalTime(moment).replaceAll(/[-:]/g, "").replace(" ", "-");
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (hasErrorCode(error, "ENOENT", "ENOTDIR")) return [];
    throw explainFileError(error, folder);
  }
}
