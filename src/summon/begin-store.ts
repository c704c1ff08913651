/**
 * The store with which a summon begins, put in place before there is a session; and what becomes of it if the summon
 * fails. What an earlier army left is never lost: it lies where it was, or the archive has it.
 */
import type { ArmyRecord } from "../mail/army-record.ts";
import { openMail, type Mail } from "../mail/mail.ts";
import { OvldError } from "../system/ovld-error.ts";
import { sayLine, type CommandContext } from "../command/command-context.ts";
import { removeArchive } from "./archive.ts";
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
  const isThere = beginning.from === "archive" && mail.army()?.archive === beginning.archive.name;
  if (beginning.from !== "store" && !isThere && mail.exists()) putLastAway(context, army);
  if (beginning.from === "nothing" || (beginning.from === "store" && !mail.exists()))
    return { origin: {}, undo: () => takeDownArmy(army, { keep: "nothing" }) };
  // A summon that was killed may have put it in place already.
  if (beginning.from === "archive" && !isThere) bringBack(army, beginning.archive);
  const before = mail.army();
  const { at, how } = beginning.last.ended;
  mail.note({ event: "returned", ended: at, how });
  return {
    origin: before?.archive === undefined ? {} : { archive: before.archive },
    undo() {
      if (before !== undefined) putBack(mail, before);
      return takeDownArmy(army, { keep: beginning.from === "archive" ? "archive" : "store" });
    },
  };
}

function putLastAway(context: CommandContext, army: Army): void {
  const { problem, archived } = putAway(army, "crashed");
  if (problem !== undefined) throw new OvldError(problem);
  if (archived === undefined || context.json) return;
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
