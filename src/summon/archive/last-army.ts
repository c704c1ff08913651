/**
 * The last army with a name, if it can be brought back: as a crash or a reboot left it, or from the archive. Changes
 * nothing.
 */
import { isForeign } from "../../mail/store/store.ts";
import { statSync } from "node:fs";
import { AGENTS } from "../../agent/agent-program.ts";
import { ROLES, type Role } from "../../army/roles.ts";
import type { ArmyEnd } from "../../army/words.ts";
import { openMail, type Mail } from "../../mail/mail.ts";
import type { ArmyRecord } from "../../mail/records/army-record.ts";
import type { Status } from "../../mail/records/status.ts";
import type { ErrorReport } from "../../system/ovld-error.ts";
import type { Environment } from "../../system/run-program.ts";
import type { Army } from "../army.ts";
import { findArchive, isArchived, listArchives, type ArchivedArmy } from "./archive.ts";

export interface LastArmy {
  session: string;
  /** Undefined if its store is still where it worked. */
  archive: ArchivedArmy | undefined;
  /** Undefined if it was never recorded, or cannot be understood. */
  record: ArmyRecord | undefined;
  ended: End;
  contents: StoreContents;
  /** What prevents its store from being used. */
  trouble: ErrorReport | undefined;
}

/** `asked` names an archived army; otherwise the last one with this name that worked in this folder is meant. */
export function findLastArmy(army: Army, folder: string, asked: string | undefined): LastArmy | undefined {
  if (asked !== undefined) return inArchive(army, findArchive(army.archiveDir, asked));
  const found = inStore(army);
  if (found !== undefined && !isArchived(army.archiveDir, found.record)) {
    if (found.trouble !== undefined || isWorthResuming(found.contents)) return found;
  }
  const [newest] = listArchives(army.archiveDir).filter(
    (each) => each.session === army.session && each.record?.folder === folder && !each.isUnreadable,
  );
  const last = newest && inArchive(army, newest);
  return last && isWorthResuming(last.contents) ? last : undefined;
}

/** The army whose store is in place, whether or not it is running. */
export function inStore({ session, relayDir, zellij }: Army): LastArmy | undefined {
  return lastArmyAt(relayDir, session, zellij.env);
}

function inArchive({ zellij }: Army, archive: ArchivedArmy): LastArmy | undefined {
  const found = lastArmyAt(archive.path, archive.session, zellij.env);
  return found && { ...found, archive };
}

function lastArmyAt(path: string, session: string, env: Environment): LastArmy | undefined {
  const mail = openMail(path);
  if (!mail.exists()) return undefined;
  return {
    session,
    archive: undefined,
    record: mail.army(),
    ended: findEnd(mail),
    contents: describeContents(path, env),
    // A link in its place is followed by nothing: what it leads to may not be ours.
    trouble: isForeign(path) ? { code: "store-foreign", facts: { path } } : mail.trouble(),
  };
}

/** What an army that is not running has left in its store. */
export interface StoreContents {
  unread: { role: Role; count: number }[];
  /**
   * Conversations that an agent could resume, because their transcripts exist. `last` is when each was last added to.
   */
  conversations: { role: Role; last: string }[];
  /** What roles said about themselves. */
  statuses: Status[];
  /** How many messages for other machines were not passed on to the hub. */
  unsent: number;
}

export function describeContents(path: string, env: Environment): StoreContents {
  const mail = openMail(path);
  const unread = ROLES.map((role) => ({ role, count: mail.countUnread(role) }));
  const conversations = ROLES.flatMap((role) => {
    const last = lastUsed(mail.conversation(role), path, env);
    return last === undefined ? [] : [{ role, last: last.toISOString() }];
  });
  const statuses = ROLES.map((role) => mail.peekStatus(role)).filter(({ updated }) => updated !== null);
  const unsent = mail.outbox().reduce((sum, { count }) => sum + count, 0);
  return { unread: unread.filter(({ count }) => count > 0), conversations, statuses, unsent };
}

/** Whether there is anything that a new army would not have. */
export function isWorthResuming({ unread, conversations, statuses, unsent }: StoreContents): boolean {
  return unread.length + conversations.length + statuses.length + unsent > 0;
}

/** When the conversation was last added to; undefined if there is no transcript, or it is empty. */
function lastUsed(
  conversation: ReturnType<Mail["conversation"]>,
  relayDir: string,
  env: Environment,
): Date | undefined {
  if (typeof conversation !== "object" || conversation.id === undefined) return undefined;
  const { program, id } = conversation;
  try {
    const place = { relayDir, env };
    const path = AGENTS[program].conversations.findTranscript({ ...conversation, id }, place)?.path;
    const found = path === undefined ? undefined : statSync(path);
    return found && found.size > 0 ? found.mtime : undefined;
  } catch {
    // A transcript that cannot be examined cannot be resumed either.
    return undefined;
  }
}

/** When and how an army that is not running has ended. */
export interface End {
  at: string;
  how: ArmyEnd;
}

type Notes = Pick<Mail, "army" | "journal" | "lastSign">;

export function findEnd(mail: Notes): End {
  const cutOff = { at: new Date(mail.lastSign()).toISOString(), how: "crashed" } as const;
  return mail.army()?.ended ?? endBeforeFailedReturn(mail) ?? cutOff;
}

/** Longer than a summon takes that fails. */
const FAILS_WITHIN_MS = 10 * 60 * 1_000;

/**
 * The end before a summon that was to bring the army back and failed or was killed: its agents have done nothing
 * since. Undefined if there was none.
 */
export function endBeforeFailedReturn(mail: Notes): End | undefined {
  const since = mail.lastSign() - FAILS_WITHIN_MS;
  let end: End | undefined;
  for (const entry of mail.journal(since).next()) {
    if (entry.event === "returned")
      end = Date.parse(entry.at) < since ? undefined : { at: entry.ended, how: entry.how };
    // A person may have written to the army meanwhile.
    else if (entry.event !== "stored" || entry.by?.program === "relay") end = undefined;
  }
  return end;
}
