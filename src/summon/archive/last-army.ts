/**
 * The last army with a name, if it can be brought back: as a crash or a reboot left it, or from the archive. Changes
 * nothing.
 */
import { lstatSync, statSync } from "node:fs";
import type { ArmyRecord } from "../../mail/records/army-record.ts";
import { openMail, type Mail } from "../../mail/mail.ts";
import type { ErrorReport } from "../../system/ovld-error.ts";
import { findServer, serverState } from "../../zellij/session-record.ts";
import { hasSocket } from "../../zellij/socket.ts";
import { findArchive, listArchives, type ArchivedArmy } from "./archive.ts";
import { isArchived } from "./archive-army.ts";
import type { Army } from "../army.ts";
import { hasLivingProcess } from "../processes.ts";
import { ROLES, type Role } from "../../army/roles.ts";
import { AGENTS } from "../../agent/agent-program.ts";
import type { Environment } from "../../system/run-program.ts";
import { openOutbox } from "../../machines/carrier/outbox.ts";
import { storePaths } from "../../mail/store/paths.ts";
import type { Status } from "../../mail/records/status.ts";
import type { ArmyEnd } from "../../army/words.ts";
import { join } from "node:path";

export interface LastArmy {
  session: string;
  /** Undefined if its store is still where it worked. */
  archive: ArchivedArmy | undefined;
  /** Undefined if it was never recorded, or cannot be understood. */
  record: ArmyRecord | undefined;
  ended: End;
  remains: Remains;
  /** What prevents its store from being used. */
  trouble: ErrorReport | undefined;
}

/** `asked` names an archived army; otherwise the last one with this name that worked in this folder is meant. */
export function findLastArmy(army: Army, folder: string, asked: string | undefined): LastArmy | undefined {
  if (asked !== undefined) return fromArchive(army, findArchive(army.archiveDir, asked));
  const found = lookAtStore(army);
  if (found === undefined || isArchived(army.archiveDir, found.record)) return lastArchived(army, folder);
  return found.trouble !== undefined || canReturn(found.remains) ? found : lastArchived(army, folder);
}

/** What is in the army's folder, whether or not it is running. */
export function lookAtStore({ session, relayDir, zellij }: Army): LastArmy | undefined {
  return lookAt({ path: relayDir, env: zellij.env }, session);
}

/** Judged by its processes. Zellij need not be asked: a dead session may have left its socket, but has no server. */
export function isRunning({ zellij, session, relayDir }: Army): boolean {
  const server = serverState(zellij);
  if (server !== "unknown") return server === "alive";
  if (hasLivingProcess(relayDir)) return true;
  return hasSocket(zellij, session) && findServer(zellij, session) !== undefined;
}

function lastArchived(army: Army, folder: string): LastArmy | undefined {
  const inFolder = listArchives(army.archiveDir).filter(
    (each) => each.session === army.session && each.record?.folder === folder && !each.isUnreadable,
  );
  const found = inFolder[0] && fromArchive(army, inFolder[0]);
  return found && canReturn(found.remains) ? found : undefined;
}

function fromArchive({ zellij }: Army, archive: ArchivedArmy): LastArmy | undefined {
  const found = lookAt({ path: archive.path, env: zellij.env }, archive.session);
  return found && { ...found, archive };
}

function lookAt(place: Place, session: string): LastArmy | undefined {
  const { path } = place;
  const mail = openMail(path);
  if (!mail.exists()) return undefined;
  const record = mail.army();
  return {
    session,
    archive: undefined,
    record,
    ended: findEnd(mail),
    remains: lookAtRemains(place),
    trouble: isLink(path) ? { code: "store-foreign", facts: { path } } : mail.trouble(),
  };
}

/** What is behind a link does not belong to the army. */
function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}

/** What an army that is not running has left in a store. Changes nothing. */

export interface Remains {
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

export interface Place {
  /** The folder of the store. */
  path: string;
  env: Environment;
}

export function lookAtRemains({ path, env }: Place): Remains {
  const mail = openMail(path);
  const unread = ROLES.map((role) => ({ role, count: mail.countUnread(role) }));
  const conversations = ROLES.flatMap((role) => {
    const last = lastUsed(mail.conversation(role), { relayDir: path, env });
    return last === undefined ? [] : [{ role, last: last.toISOString() }];
  });
  const statuses = ROLES.map((role) => mail.peekStatus(role)).filter(({ updated }) => updated !== null);
  const outbox = openOutbox(join(storePaths(path).hub, "outbox")).overview();
  const unsent = outbox.reduce((sum, { count }) => sum + count, 0);
  return { unread: unread.filter(({ count }) => count > 0), conversations, statuses, unsent };
}

/** Whether there is anything that a new army would not have. */
export function canReturn({ unread, conversations, statuses, unsent }: Remains): boolean {
  return unread.length + conversations.length + statuses.length + unsent > 0;
}

/** Whether to archive it: what can be brought back, and a history that a person may want to read. */
export function isWorthKeeping(place: Place): boolean {
  return canReturn(lookAtRemains(place)) || !openMail(place.path).journal().next().next().done;
}

/** Undefined if there is no transcript, or it is empty. */
function lastUsed(
  conversation: ReturnType<Mail["conversation"]>,
  place: { relayDir: string; env: Environment },
): Date | undefined {
  if (typeof conversation !== "object" || conversation.id === undefined) return undefined;
  const { program, id } = conversation;
  try {
    const path = AGENTS[program].conversations.findTranscript({ ...conversation, id }, place)?.path;
    const found = path === undefined ? undefined : statSync(path);
    return found && found.size > 0 ? found.mtime : undefined;
  } catch {
    // A transcript that cannot be examined cannot be resumed either.
    return undefined;
  }
}

/** When and how an army that is not running has ended. Changes nothing. */

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
