/**
 * Puts an army that is not running into the archive: its unread mail, statuses, conversations and journal.
 *
 * The army's store is only read, except that its end is recorded. The caller removes it, once the archive has it.
 */
import type { ArmyEnd } from "../../army/words.ts";
import { openMail, type Mail } from "../../mail/mail.ts";
import type { ArmyRecord } from "../../mail/records/army-record.ts";
import type { Army } from "../army.ts";
import { addToArchive, isArchived, listArchives, removeArchive } from "./archive.ts";
import { describeContents, findEnd, isWorthResuming } from "./last-army.ts";

/** The points at which a process may be killed; a test stops at each of them. */
export type ArchiveStep = "end noted" | "copied" | "archived" | "marked" | "replaced";

/** Its name in the archive; undefined if there was nothing to keep, or nothing should be kept. */
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
  const readable = listArchives(archiveDir).filter(({ isUnreadable }) => !isUnreadable);
  return readable.find((each) => {
    const copy = openMail(each.path).journalFile();
    if (copy !== undefined && copy.identity === journal?.identity) return true;
    const isSameEnd = record?.ended !== undefined && each.record?.ended?.at === record.ended.at;
    return isSameEnd && each.record?.session === record.session && copy?.size === journal?.size;
  })?.name;
}

/** An end that was recorded before stays. A file that cannot be understood is left as it is. */
function noteEnd(mail: Mail, record: ArmyRecord | undefined, how: ArmyEnd): Date {
  if (record?.ended !== undefined) {
    if (record.archive !== undefined) mail.recordArmy({ ...record, archive: undefined });
    return new Date(record.ended.at);
  }
  const ended = how === "crashed" ? findEnd(mail) : { at: new Date().toISOString(), how };
  if (how !== "crashed") mail.note({ event: "ended", how });
  if (record !== undefined) mail.recordArmy({ ...record, archive: undefined, ended });
  return new Date(ended.at);
}
