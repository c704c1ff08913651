/**
 * Puts an army that is not running into the archive: its unread mail, statuses, conversations and journal.
 *
 * The army's store is only read, but for a note of its end. It is the caller's to remove, once the archive has it.
 */
import { lstatSync } from "node:fs";
import type { ArmyEnd } from "../army/words.ts";
import type { ArmyRecord } from "../mail/army-record.ts";
import { openMail, type Mail } from "../mail/mail.ts";
import { OvldError } from "../system/ovld-error.ts";
import { addToArchive, removeArchive } from "./archive.ts";
import type { Army } from "./army.ts";
import { isWorthKeeping } from "./remains.ts";

/** The moments at which a process may be killed; a test visits each. */
export type ArchiveStep = "end noted" | "copied" | "archived" | "replaced";

/** The name it has in the archive; undefined if there was nothing to keep, or nothing is to be kept. */
export function archiveArmy(
  { session, relayDir, archiveDir, settings }: Pick<Army, "session" | "relayDir" | "archiveDir" | "settings">,
  how: ArmyEnd,
  onStep: (step: ArchiveStep) => void = () => {},
): string | undefined {
  const found = lstatSync(relayDir, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  if (!found.isDirectory()) throw new OvldError({ code: "store-foreign", facts: { path: relayDir } });
  const mail = openMail(relayDir);
  if (settings.archive.days === 0 || !mail.exists() || !isWorthKeeping(mail)) return undefined;
  const before = mail.army();
  const ended = noteEnd(mail, before, how);
  onStep("end noted");
  const name = addToArchive(archiveDir, { session, ended }, (path) => {
    mail.copyTo(path, { forUse: false });
    onStep("copied");
  });
  onStep("archived");
  // It has all that the one had from which this army was brought back.
  if (before?.archive !== undefined) removeArchive(archiveDir, before.archive);
  onStep("replaced");
  return name;
}

/** An end that was noted before stays. A file that cannot be understood is left as it is. */
function noteEnd(mail: Mail, record: ArmyRecord | undefined, how: ArmyEnd): Date {
  if (record?.ended !== undefined) return new Date(record.ended.at);
  const at = how === "crashed" ? new Date(mail.lastSign()) : new Date();
  if (how !== "crashed") mail.note({ event: "ended", how });
  if (record !== undefined) mail.recordArmy({ ...record, ended: { at: at.toISOString(), how } });
  return at;
}
