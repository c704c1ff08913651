/**
 * Decides, at each start of a role's agent, which conversation it should be in, and records that before the agent
 * starts.
 *
 * The agent resumes the role's own conversation if there is a transcript with a prompt in it and no living process in
 * the conversation; otherwise it begins a new one. Two processes never get the same conversation: a living owner is
 * given a moment to end, and then the start is refused.
 */
import type { AgentName } from "../army/words.ts";
import type { Role } from "../army/roles.ts";
import type { Environment } from "../system/run-program.ts";
import type { Conversation, CutOff } from "../mail/records/conversation.ts";
import type { Mail } from "../mail/mail.ts";
import { OvldError } from "../system/ovld-error.ts";
import { waitUntil } from "../system/async.ts";
import { isProcessAlive, type ProcessIdentity } from "../system/process.ts";
import type { AgentConversations, Transcript } from "./agent-program.ts";

export interface Start {
  role: Role;
  relayDir: string;
  mail: Mail;
  env: Environment;
  program: AgentName;
  conversations: AgentConversations;
  /** The process that will be the agent. */
  agent: ProcessIdentity | undefined;
  /** The role's ritual, if it should have one. */
  ritual: string | undefined;
  stop: AbortSignal;
  patienceMs?: number;
  makeId?: () => string;
}

export type TakenUp = { conversation: Conversation & { id: string } } | { inUseBy: ProcessIdentity };

/** These keep us from recording anything, but not from resuming what was recorded before. */
const CANNOT_WRITE = new Set(["disk-full", "file-size-limit", "not-writable"]);

export async function takeUpConversation(start: Start): Promise<TakenUp> {
  const { role, mail, stop, patienceMs = 5_000 } = start;
  try {
    return await mail.whileHolding(`start-${role}`, stop, async () => {
      const known = mail.conversation(role);
      let owner: ProcessIdentity | undefined;
      // A process whose terminal is gone ends within this time.
      const isFree = (): boolean => (owner = findOwner(start, known)) === undefined;
      await waitUntil(isFree, { everyMs: 50, withinMs: patienceMs, stop });
      stop.throwIfAborted();
      if (owner !== undefined) {
        mail.note({ event: "conversation", role, outcome: "in-use" });
        return { inUseBy: owner };
      }
      const conversation = choose(start, known);
      const { start: outcome, beganBecause: why } = conversation;
      mail.recordConversation(conversation);
      if (outcome === "resumed" || why !== undefined)
        mail.note({ event: "conversation", role, outcome, why });
      return { conversation };
    });
  } catch (error) {
    if (!(error instanceof OvldError) || !CANNOT_WRITE.has(error.report.code)) throw error;
    const known = mail.conversation(role);
    const owner = findOwner(start, known);
    if (owner !== undefined) return { inUseBy: owner };
    const conversation = choose(start, known);
    // The relay records its process as soon as there is room. A new conversation needs no id from us.
    if (conversation.start === "resumed") return { conversation };
    throw error;
  }
}

/** What is recorded about the role's last conversation. */
type Known = Conversation | undefined;

/** A living agent of this role, in whatever conversation, or any process in the role's conversation. */
function findOwner(
  { role, mail, env, conversations, agent: us }: Start,
  known: Known,
): ProcessIdentity | undefined {
  const { agent, id } = known ?? {};
  const announced = mail.presences().filter((presence) => presence.role === role);
  const agents = [agent, ...announced.map((presence) => presence.agent)];
  const living = agents.find((each) => each !== undefined && each !== us && isProcessAlive(each));
  if (living !== undefined) return living;
  const owner = id === undefined ? undefined : conversations.findOwner(env, id);
  return owner === us ? undefined : owner;
}

function choose(start: Start, known: Known): Conversation & { id: string } {
  const { role, mail, program, agent, env, conversations, makeId = newId } = start;
  const now = new Date().toISOString();
  const programFolder = conversations.programFolder(env);
  const began = { since: now, agent, started: now, start: "began" } as const;
  const fresh = { role, program, id: makeId(), programFolder, ...began };
  if (known === undefined)
    return { ...fresh, ...(mail.isConversationUnreadable(role) && { beganBecause: "unreadable-note" }) };
  if (known.program !== program) return { ...fresh, beganBecause: "other-program" };
  const { id } = known;
  const transcript = id === undefined ? undefined : conversations.findTranscript({ ...known, id }, start);
  if (id === undefined || transcript === undefined) {
    // Claude Code writes no transcript before the first prompt, so nothing is lost.
    const hadPrompt = known.ritual !== undefined || known.transcript !== undefined;
    return { ...fresh, ...(hadPrompt && { beganBecause: "no-transcript" }) };
  }
  if (!transcript.hasPrompt()) return { ...fresh, beganBecause: "empty-transcript" };
  return {
    ...known,
    id,
    transcript: transcript.path,
    programFolder,
    agent,
    started: now,
    start: "resumed",
    beganBecause: undefined,
    ritual: ritualIn(transcript, start.ritual, known.ritual, now),
    // What it owes is part of how it was cut off, and it is told of that in one message.
    unfinished: undefined,
    readInTurn: undefined,
    cutOff: withUntold(known, findInterruptedTurn(start, known, transcript)),
  };
}

/**
 * When the conversation was given its ritual. The relay may have been killed after it gave the ritual and before it
 * recorded that. And a prompt that is submitted right before a crash is lost in the agent program: then the record is
 * newer than anything in the transcript, which does not have the text.
 */
function ritualIn(
  transcript: Transcript,
  ritual: string | undefined,
  noted: string | undefined,
  now: string,
): string | undefined {
  if (ritual === undefined) return noted;
  const lastAt = transcript.lastAt();
  if (noted !== undefined && (lastAt === undefined || noted <= lastAt)) return noted;
  return transcript.mentions(ritual) ? (noted ?? now) : undefined;
}

/** An agent that was never told of the time before is told now, even if the process in between did nothing. */
function withUntold({ cutOff: last }: Conversation, found: CutOff | undefined): CutOff | undefined {
  const untold = last?.told === undefined ? last : undefined;
  if (found === undefined || untold === undefined) return found ?? untold;
  return { ...found, read: [...new Set([...(untold.read ?? []), ...(found.read ?? [])])] };
}

const MOST_NAMED = 50;
const LOOKED_BACK_MS = 24 * 60 * 60 * 1_000;

/**
 * How the role's agent was cut off: in the middle of a turn, at work by its own word, with mail that it had been given
 * and that is not in its transcript, or after a failed turn in which it had read mail. An agent program writes its
 * transcript a little later than it acts, so a turn that had only just begun may be missing there; the journal then
 * shows that the agent was given mail in it. Undefined if it was idle, has seen all it was given, and owes nothing.
 */
function findInterruptedTurn(
  { mail, role }: Start,
  { since, unfinished = [], readInTurn = [] }: Conversation,
  transcript: Transcript,
): CutOff | undefined {
  const lastAt = transcript.lastAt();
  const { sinceReport, all } = findRead(mail, role, since, Date.parse(lastAt ?? since));
  // What still waits comes back by itself, marked.
  const waiting = new Set(mail.unread(role, { handedOut: true }));
  const missing = all.slice(-MOST_NAMED).filter(({ id }) => !transcript.mentions(id));
  const unseen = missing.filter(({ id }) => !waiting.has(id)).map(({ id }) => id);
  // A turn that is not in the transcript, although it was given mail in it.
  const lost = missing.findLast(
    ({ id, at }) => waiting.has(id) && Date.parse(at) > Date.parse(lastAt ?? since),
  );
  // If the relay had died before, nobody has seen the turn fail.
  const owed = [...unfinished, ...(transcript.endsInError() ? readInTurn : [])].map(({ id }) => id);
  const isAtWork = mail.peekStatus(role).status === "working";
  const reason = unseen.length > 0 ? "mail" : owed.length > 0 ? "error" : isAtWork ? "status" : undefined;
  const at = lastAt ?? new Date().toISOString();
  const lostTurn = lost && ({ at: lost.at, in: "lost-turn" } as const);
  const how = transcript.cutOff() ?? lostTurn ?? (reason && { at, in: reason });
  const read = [...new Set([...owed, ...sinceReport.slice(-MOST_NAMED)])].slice(-MOST_NAMED);
  return how && { ...how, read, unseen };
}

/** The mail that a role read in a conversation until its last word: all of it, and by id that since its last report. */
function findRead(
  mail: Mail,
  role: Role,
  since: string,
  lastAt: number,
): { all: { id: string; at: string }[]; sinceReport: string[] } {
  const all: { id: string; at: string }[] = [];
  let sinceReport: string[] = [];
  // What was read days before its last word is in its transcript, and need not be searched for.
  const longAgo = lastAt - LOOKED_BACK_MS;
  // A conversation that began after its last word began before the clock was set back.
  const began = Date.parse(since) > lastAt ? longAgo : Date.parse(since);
  const from = new Date(Math.max(began, longAgo)).toISOString();
  for (const entry of mail.journal(Date.parse(from)).next()) {
    if (entry.at < from) continue;
    if (entry.event === "read" && entry.role === role) {
      all.push(entry);
      sinceReport.push(entry.id);
    }
    const isReport =
      (entry.event === "status" && entry.role === role) || (entry.event === "stored" && entry.from === role);
    if (isReport) sinceReport = [];
  }
  return { all, sinceReport };
}

function newId(): string {
  return process.getBuiltinModule("node:crypto").randomUUID();
}
