/**
 * Prepares the store with which a summon starts, before there is a session, and undoes that if the summon fails. What
 * an earlier army left is never lost: it stays where it was, or the archive has it.
 */
import { mkdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { CommandContext } from "../../command/command-context.ts";
import { openMail, type Mail } from "../../mail/mail.ts";
import type { ArmyRecord } from "../../mail/records/army-record.ts";
import { moveFile, removeTree, syncFolder } from "../../system/durable-files.ts";
import { OvldError } from "../../system/ovld-error.ts";
import { listFolder } from "../../system/paths.ts";
import { identifyOurselves, isProcessAlive } from "../../system/process.ts";
import type { Army } from "../army.ts";
import { printArchived, removeArmy, archiveAndRemove, endArmy, type EndedArmy } from "../end-army.ts";
import { isArchived, removeArchive, type ArchivedArmy } from "./archive.ts";
import type { StartingPoint } from "./choose-starting-point.ts";
import { endBeforeFailedReturn } from "./last-army.ts";

export interface PreparedStore {
  /** What the summon records about the army besides where and how it works. */
  origin: Pick<ArmyRecord, "archive">;
  /** Takes the army down again. */
  undo: () => Promise<EndedArmy>;
}

/** Call it with the army's lock held, while no session of the army is running. */
export function prepareStore(context: CommandContext, army: Army, start: StartingPoint): PreparedStore {
  const mail = openMail(army.relayDir);
  // The army was brought back from the archive and cut off before the archived copy was removed.
  const isNewer = start.from === "archive" && isMadeOf(army, mail.army(), start.archive.name);
  if (start.from !== "store" && !isNewer && mail.exists()) archiveLastArmy(context, army, start);
  const isGone = start.from === "store" && !mail.exists();
  if (isGone && start.orNothing !== true) {
    const facts = { session: army.session, folder: context.cwd };
    throw new OvldError({ code: "nothing-to-resume", facts });
  }
  if (start.from === "nothing" || isGone)
    return { origin: {}, undo: () => endArmy(army, { keep: "nothing" }) };
  if (start.from === "archive" && !isNewer) bringBack(army, start.archive);
  const before = mail.army();
  const { at, how } = start.last.ended;
  // An earlier summon may have failed after it noted the return.
  if (endBeforeFailedReturn(mail) === undefined) mail.note({ event: "returned", ended: at, how });
  return {
    origin: before?.archive === undefined ? {} : { archive: before.archive },
    async undo() {
      if (start.from === "store") {
        if (before !== undefined) restoreRecord(mail, before);
        return endArmy(army, { keep: "store" });
      }
      // Its agents may have read mail in the meantime, so its current state replaces the archived army it was
      // brought back from.
      if (before !== undefined) restoreRecord(mail, { ...before, archive: undefined });
      const done = await endArmy(army, { keep: "archive" });
      if (done.archived !== undefined) removeArchive(army.archiveDir, start.archive.name);
      return done;
    },
  };
}

function isMadeOf({ archiveDir }: Army, record: ArmyRecord | undefined, name: string): boolean {
  return record?.archive === name && !isArchived(archiveDir, record);
}

/** A mere copy of the archived army that should be brought back need not be archived again. */
function archiveLastArmy(context: CommandContext, army: Army, start: StartingPoint): void {
  const { problem, archived } = archiveAndRemove(army, "crashed");
  if (problem !== undefined) throw new OvldError(problem);
  const isSame = start.from === "archive" && archived?.name === start.archive.name;
  if (archived !== undefined && !isSame && !context.json) printArchived(context, archived);
}

/** Puts back the record of the earlier army, whose store was kept. */
function restoreRecord(mail: Mail, record: ArmyRecord): void {
  try {
    mail.recordArmy(record);
  } catch {
    // Why the summon failed is what the person has to know.
  }
}

/** The army is running: from here on its own store counts, and the archived copy is no longer needed. */
export function finishReturn({ relayDir, archiveDir }: Army): void {
  const mail = openMail(relayDir);
  const { archive, ...record } = mail.army() ?? {};
  if (archive === undefined || !("folder" in record)) return;
  try {
    removeArchive(archiveDir, archive);
    mail.recordArmy(record);
  } catch {
    // The next end of the army removes it.
  }
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
  removeLeftovers(relayDir);
  // What a summon left that was killed while it created an empty store.
  const { left, problem } = removeArmy(army);
  if (problem !== undefined) throw new OvldError(problem);
  const [foreign] = left;
  if (foreign !== undefined) throw new OvldError({ code: "store-foreign", facts: { path: foreign } });
  mkdirSync(dirname(relayDir), { recursive: true, mode: 0o700 });
  const aside = join(dirname(relayDir), `${asidePrefix(relayDir)}${identifyOurselves()}`);
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
    syncFolder(dirname(relayDir));
    onStep("in place");
  } finally {
    removeTree(aside);
  }
}

/** Copies of processes that were killed while making one. */
function removeLeftovers(relayDir: string): void {
  const prefix = asidePrefix(relayDir);
  for (const name of listFolder(dirname(relayDir))) {
    if (!name.startsWith(prefix) || isProcessAlive(name.slice(prefix.length))) continue;
    removeTree(join(dirname(relayDir), name));
  }
}

function asidePrefix(relayDir: string): string {
  return `.${basename(relayDir)}.returning-`;
}
