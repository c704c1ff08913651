/** What an army that is not running has left in its store, and when and how it ended. Changes nothing. */
import { statSync } from "node:fs";
import { AGENTS } from "../../agent/agent-program.ts";
import { RECIPIENTS, ROLES, type Recipient } from "../../army/roles.ts";
import type { ArmyEnd } from "../../army/words.ts";
import { isFromCommand } from "../../mail/journal/journal-entry.ts";
import { openMail, type Mail } from "../../mail/mail.ts";
import type { Environment } from "../../system/run-program.ts";
import { tryTo } from "../../system/file-error.ts";

export type StoreContents = ReturnType<typeof describeContents>;

export function describeContents(path: string, env: Environment) {
  const mail = openMail(path);
  return {
    unread: listUnread(mail),
    /**
     * Conversations that an agent could resume, because their transcripts exist. `last` is when each was last added to.
     */
    conversations: ROLES.flatMap((role) => {
      const last = lastUsed(mail.conversation(role), path, env);
      return last === undefined ? [] : [{ role, last: last.toISOString() }];
    }),
    /** What roles said about themselves. */
    statuses: ROLES.map((role) => mail.peekStatus(role)).filter(({ updated }) => updated !== null),
    /** How many messages for other machines were not passed on to the hub. */
    unsent: sumOf(mail.outbox()),
  };
}

function listUnread(mail: Mail): { role: Recipient; count: number }[] {
  return RECIPIENTS.map((role) => ({ role, count: mail.countUnread(role) })).filter(({ count }) => count > 0);
}

/** How many messages there are, and how many each role has, in the form shown to the person. */
export function summarizeUnread(relayDir: string): { total: number; roles: string } {
  const unread = listUnread(openMail(relayDir));
  return { total: sumOf(unread), roles: formatUnread(unread) };
}

export function sumOf(counts: readonly { count: number }[]): number {
  return counts.reduce((sum, { count }) => sum + count, 0);
}

export function formatUnread(unread: StoreContents["unread"]): string {
  return unread.map(({ role, count }) => `${role} ${count}`).join(", ");
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
  if (conversation?.id === undefined) return undefined;
  const { program, id } = conversation;
  const { findTranscript } = AGENTS[program].conversations;
  // A transcript that cannot be examined cannot be resumed either.
  const path = tryTo(() => findTranscript({ ...conversation, id }, { relayDir, env })?.path);
  const found = path === undefined ? undefined : tryTo(() => statSync(path));
  return found && found.size > 0 ? found.mtime : undefined;
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
    // A person may have written to the army meanwhile, or read its mail.
    else if (!isFromCommand(entry) && (entry.event !== "stored" || entry.by?.program === "relay"))
      end = undefined;
  }
  return end;
}
