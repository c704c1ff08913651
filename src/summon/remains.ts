/** What an army that is not running has left in a store. Changes nothing. */
import { statSync } from "node:fs";
import { join } from "node:path";
import { ROLES, type Role } from "../army/roles.ts";
import { AGENTS } from "../agent/agents.ts";
import type { Environment } from "../system/run-program.ts";
import { openOutbox } from "../machines/carrier/outbox.ts";
import { openMail, type Mail } from "../mail/mail.ts";
import { storePaths } from "../mail/store/paths.ts";
import type { Status } from "../mail/records/status.ts";

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
