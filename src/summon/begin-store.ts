/**
 * The store with which a summon begins, put in place before there is a session; and what becomes of it if the summon
 * fails. What an earlier army left is never lost: it lies where it was, or the archive has it.
 */
import type { ArmyRecord } from "../mail/army-record.ts";
import { openMail, type Mail } from "../mail/mail.ts";
import { OvldError } from "../system/ovld-error.ts";
import { sayLine, type CommandContext } from "../command/command-context.ts";
import { removeArchive } from "./archive.ts";
import { isArchived } from "./archive-army.ts";
import type { Army } from "./army.ts";
import { bringBack } from "./bring-back.ts";
import type { Beginning } from "./choose-beginning.ts";
import { putAway, takeDownArmy, type TakeDown } from "./take-down.ts";

export interface BegunStore {
  /** What the summon writes about the army besides where and how it works. */
  origin: Pick<ArmyRecord, "archive">;
  /** Takes the army down again. */
  undo: () => Promise<TakeDown>;
}

/** To be called with the army's lock held, where no session of it is running. */
export function beginStore(context: CommandContext, army: Army, beginning: Beginning): BegunStore {
  const mail = openMail(army.relayDir);
  // It came up from the archive and was cut off before the archive could let go of it.
  const isNewer = beginning.from === "archive" && isMadeOf(army, mail.army(), beginning.archive.name);
  if (beginning.from !== "store" && !isNewer && mail.exists()) putLastAway(context, army, beginning);
  if (beginning.from === "nothing" || (beginning.from === "store" && !mail.exists()))
    return { origin: {}, undo: () => takeDownArmy(army, { keep: "nothing" }) };
  if (beginning.from === "archive" && !isNewer) bringBack(army, beginning.archive);
  const before = mail.army();
  const { at, how } = beginning.last.ended;
  mail.note({ event: "returned", ended: at, how });
  return {
    origin: before?.archive === undefined ? {} : { archive: before.archive },
    async undo() {
      if (beginning.from === "store") {
        if (before !== undefined) putBack(mail, before);
        return takeDownArmy(army, { keep: "store" });
      }
      // Its agents may have read mail meanwhile: it is archived as it is now, in place of what it was made of.
      if (before !== undefined) putBack(mail, { ...before, archive: undefined });
      const done = await takeDownArmy(army, { keep: "archive" });
      if (done.archived !== undefined) removeArchive(army.archiveDir, beginning.archive.name);
      return done;
    },
  };
}

function isMadeOf({ archiveDir }: Army, record: ArmyRecord | undefined, name: string): boolean {
  return record?.archive === name && !isArchived(archiveDir, record);
}

/** What is only a copy of the archived army that is to come back need not be archived again. */
function putLastAway(context: CommandContext, army: Army, beginning: Beginning): void {
  const { problem, archived } = putAway(army, "crashed");
  if (problem !== undefined) throw new OvldError(problem);
  const isSame = beginning.from === "archive" && archived?.name === beginning.archive.name;
  if (archived === undefined || isSame || context.json) return;
  const { name, days, unread } = archived;
  sayLine(context, context.texts.session.archived(name, days, unread.total, unread.roles));
}

/** What was kept is still that of the army that was there before. */
function putBack(mail: Mail, record: ArmyRecord): void {
  try {
    mail.recordArmy(record);
  } catch {
    // Why the summon failed is what the person has to know.
  }
}

/** The army is up: from here on its own store is the one that counts, and the archive needs it no more. */
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
