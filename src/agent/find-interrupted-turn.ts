/**
 * How a role's agent was cut off, found before its conversation is resumed: in the middle of a turn, at work by its own
 * word, with mail that it had been given and that is not in its transcript, or after a failed turn in which it had read
 * mail. An agent program writes its transcript a little later than it acts, so a turn that had only just begun may be
 * missing there; the journal then shows that the agent was given mail in it.
 */
import type { Role } from "../army/roles.ts";
import type { Conversation, CutOff } from "../mail/records/conversation.ts";
import type { Mail } from "../mail/mail.ts";
import type { Transcript } from "./agent-program.ts";

/** Undefined if it was idle, has seen all it was given, and owes nothing. */
export function findInterruptedTurn(
  mail: Pick<Mail, "journal" | "peekStatus" | "unread">,
  role: Role,
  { since, unfinished = [], readInTurn = [] }: Pick<Conversation, "since" | "unfinished" | "readInTurn">,
  transcript: Transcript,
): CutOff | undefined {
  const { read, unseen, lostTurn } = findRead(mail, role, since, transcript);
  // If the relay had died before, nobody has seen the turn fail.
  const owed = [...unfinished, ...(transcript.endsInError() ? readInTurn : [])].map(({ id }) => id);
  const isAtWork = mail.peekStatus(role).status === "working";
  const reason = unseen.length > 0 ? "mail" : owed.length > 0 ? "error" : isAtWork ? "status" : undefined;
  const at = transcript.lastAt() ?? new Date().toISOString();
  const how = transcript.cutOff() ?? lostTurn ?? (reason && { at, in: reason });
  return how && { ...how, read: [...new Set([...owed, ...read])].slice(-MOST_NAMED), unseen };
}

const MOST_NAMED = 50;
const LOOKED_BACK_MS = 24 * 60 * 60 * 1_000;

/**
 * The mail it read in this conversation after its last report, by id; `unseen` is what never got into the transcript.
 * `lostTurn` is one that is not in the transcript, although it was given mail in it, which comes back by itself.
 */
function findRead(
  mail: Pick<Mail, "journal" | "unread">,
  role: Role,
  since: string,
  transcript: Transcript,
): { read: string[]; unseen: string[]; lostTurn: CutOff | undefined } {
  let read: string[] = [];
  const all: { id: string; at: string }[] = [];
  // What was read days before its last word is in its transcript, and need not be searched for.
  const lastAt = Date.parse(transcript.lastAt() ?? since);
  const longAgo = lastAt - LOOKED_BACK_MS;
  // A conversation that began after its last word began before the clock was set back.
  const began = Date.parse(since) > lastAt ? longAgo : Date.parse(since);
  const from = new Date(Math.max(began, longAgo)).toISOString();
  for (const entry of mail.journal(Date.parse(from)).next()) {
    if (entry.at < from) continue;
    if (entry.event === "read" && entry.role === role) {
      read.push(entry.id);
      all.push(entry);
    }
    const isReport =
      (entry.event === "status" && entry.role === role) || (entry.event === "stored" && entry.from === role);
    if (isReport) read = [];
  }
  // What still waits comes back by itself, marked.
  const waiting = new Set(mail.unread(role, { handedOut: true }));
  const missing = all.slice(-MOST_NAMED).filter(({ id }) => !transcript.mentions(id));
  const given = missing.findLast(({ id, at }) => waiting.has(id) && Date.parse(at) > lastAt);
  return {
    read: read.slice(-MOST_NAMED),
    unseen: missing.flatMap(({ id }) => (waiting.has(id) ? [] : [id])),
    lostTurn: given && { at: given.at, in: "lost-turn" },
  };
}
