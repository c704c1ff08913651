/** What an army that is not running has left in a store. Changes nothing. */
import { statSync } from "node:fs";
import { ROLES, type Role } from "../army/roles.ts";
import type { Mail } from "../mail/mail.ts";
import type { Status } from "../mail/status.ts";

export interface Remains {
  unread: { role: Role; count: number }[];
  /** Those that an agent could go on with: their transcripts are there. `last` is when each was last added to. */
  conversations: { role: Role; last: string }[];
  /** What roles said of themselves. */
  statuses: Status[];
}

export function lookAtRemains(mail: Mail): Remains {
  const unread = ROLES.map((role) => ({ role, count: mail.countUnread(role) }));
  const conversations = ROLES.flatMap((role) => {
    const conversation = mail.conversation(role);
    const last = typeof conversation === "object" ? timeOf(conversation.transcript) : undefined;
    return last === undefined ? [] : [{ role, last: last.toISOString() }];
  });
  const statuses = ROLES.map((role) => mail.peekStatus(role)).filter(({ updated }) => updated !== null);
  return { unread: unread.filter(({ count }) => count > 0), conversations, statuses };
}

/** Whether there is anything that a new army would not have. */
export function canReturn({ unread, conversations, statuses }: Remains): boolean {
  return unread.length + conversations.length + statuses.length > 0;
}

/** Whether the archive should have it: what can come back, and a history that somebody may want to read. */
export function isWorthKeeping(mail: Mail): boolean {
  return canReturn(lookAtRemains(mail)) || !mail.journal().next().next().done;
}

function timeOf(transcript: string | undefined): Date | undefined {
  try {
    const found = transcript === undefined ? undefined : statSync(transcript);
    return found?.isFile() && found.size > 0 ? found.mtime : undefined;
  } catch {
    return undefined;
  }
}
