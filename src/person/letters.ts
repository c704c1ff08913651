/** The person's own mail: what waits for them, what a reply is about, and what marks a message as read. */
import { ROLES, type Role } from "../army/roles.ts";
import type { JournalEntry } from "../mail/journal/journal-entry.ts";
import type { StoredEntry } from "../mail/journal/read-journal.ts";
import type { Mail } from "../mail/mail.ts";
import type { Status } from "../mail/records/army-record.ts";
import { LIMITS, type Message } from "../mail/store/message.ts";
import { shorten } from "../system/clean-text.ts";
import { OvldError } from "../system/ovld-error.ts";

/** A message to the person. */
export type Letter = Pick<Message, "id" | "from" | "subject" | "body" | "priority" | "timestamp">;

const MOST_SHOWN = 20;

/** What the person has not read: how much it is, and the newest of it, oldest first. Changes nothing. */
export function describeLetters(mail: Mail): { unread: number; letters: Letter[] } {
  const ids = mail.unread("human", { handedOut: true });
  const letters = ids.slice(-MOST_SHOWN).flatMap((id) => mail.peek("human", id) ?? []);
  return { unread: ids.length, letters };
}

/** What a role asked the person when it became blocked; undefined if it does not wait for them, or if that is gone. */
export function questionOf(
  mail: Mail,
  { waitsFor, asked }: Pick<Status, "waitsFor" | "asked">,
): Letter | undefined {
  if (waitsFor !== "human" || asked === undefined) return undefined;
  return mail.peek("human", asked) ?? mail.storedEntry(asked);
}

/** Marks messages as read that the person has been shown. What another reader is showing them is left to that reader. */
export function markRead(mail: Mail, ids: readonly string[]): void {
  const limit = { most: Infinity, measure: () => 0 };
  for (const id of ids) mail.claimShort("human", [id], limit)?.settle();
}

const MOST_SEARCHED = 1_000;

/** Whether an entry is about mail from or to the person. */
export function isLetter(entry: JournalEntry): entry is StoredEntry {
  return entry.event === "stored" && [entry.from, entry.to].some((end) => end === "human");
}

/** The messages between the person and the roles, oldest first. */
export function lettersIn(mail: Mail, most = MOST_SEARCHED): StoredEntry[] {
  return mail
    .journalWindow({ from: -Infinity, until: Infinity, most, isWanted: isLetter })
    .entries.filter(isLetter);
}

export function subjectOfReply(subject: string): string {
  return shorten(`Re: ${subject.replace(/^Re: /, "")}`, LIMITS.subjectCharacters - 1);
}

/** What the person answers: the message with this id or its beginning; or else the one that has no answer yet. */
export function letterToAnswer(mail: Mail, prefix: string | undefined): Letter & { from: Role } {
  const found = prefix === undefined ? unanswered(mail) : lettersAbout(mail, prefix);
  const [letter, ...others] = found;
  if (letter === undefined) {
    if (prefix === undefined) throw new OvldError({ code: "nothing-to-answer", facts: {} });
    throw new OvldError({ code: "no-such-message", facts: { id: prefix } });
  }
  if (others.length > 0) {
    const letters = found.map(({ id, from, subject }) => `${id} (${from}: ${subject})`);
    throw new OvldError({ code: "several-to-answer", facts: { letters } });
  }
  const role = ROLES.find((each) => each === letter.from);
  if (role === undefined) throw new OvldError({ code: "nobody-to-answer", facts: { id: letter.id } });
  return { ...letter, from: role };
}

function lettersAbout(mail: Mail, prefix: string): Letter[] {
  const found = new Map<string, Letter>();
  for (const entry of mail.journalAbout(prefix))
    if (entry.event === "stored" && entry.to === "human") found.set(entry.id, entry);
  const exact = found.get(prefix);
  return exact ? [exact] : [...found.values()];
}

/** The questions of roles that wait for the person; if there are none, the last message of each role that has no answer. */
function unanswered(mail: Mail): Letter[] {
  const last = new Map<string, StoredEntry>();
  for (const entry of lettersIn(mail)) {
    if (entry.from === "human") last.delete(entry.to);
    else if (entry.from !== "ovld") last.set(entry.from, entry);
  }
  const here = mail.army()?.roles ?? ROLES;
  const statusOf = (role: Role) => (here.includes(role) ? mail.peekStatus(role) : mail.away(role));
  const questions = ROLES.filter((role) => last.has(role)).flatMap(
    (role) => questionOf(mail, statusOf(role) ?? {}) ?? [],
  );
  return questions.length > 0 ? questions : [...last.values()];
}
