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
import { findInterruptedTurn } from "./find-interrupted-turn.ts";

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
  try {
    return await takeUp(start);
  } catch (error) {
    if (!(error instanceof OvldError) || !CANNOT_WRITE.has(error.report.code)) throw error;
    const known = start.mail.conversation(start.role);
    const owner = findOwner(start, known);
    if (owner !== undefined) return { inUseBy: owner };
    const conversation = choose(start, known);
    // The relay records its process as soon as there is room. A new conversation needs no id from us.
    if (conversation.start === "resumed") return { conversation };
    throw error;
  }
}

function takeUp(start: Start): Promise<TakenUp> {
  return start.mail.whileHolding(`start-${start.role}`, start.stop, async () => {
    const known = start.mail.conversation(start.role);
    const owner = await awaitOwner(start, known);
    if (owner !== undefined) {
      start.mail.note({ event: "conversation", role: start.role, outcome: "in-use" });
      return { inUseBy: owner };
    }
    const conversation = choose(start, known);
    start.mail.recordConversation(conversation);
    const { role, beganBecause: why } = conversation;
    if (conversation.start === "resumed" || why !== undefined)
      start.mail.note({ event: "conversation", role, outcome: conversation.start, why });
    return { conversation };
  });
}

/** Undefined as soon as no process is in it. */
async function awaitOwner(
  start: Start,
  known: Conversation | "unreadable" | undefined,
): Promise<ProcessIdentity | undefined> {
  const { patienceMs = 5_000, stop } = start;
  let owner: ProcessIdentity | undefined;
  const isFree = (): boolean => {
    owner = findOwner(start, known);
    return owner === undefined;
  };
  // A process whose terminal is gone ends within this time.
  await waitUntil(isFree, { everyMs: 50, withinMs: patienceMs, stop });
  stop.throwIfAborted();
  return owner;
}

/** A living agent of this role, in whatever conversation, or any process in the role's conversation. */
function findOwner(
  { role, mail, env, conversations, agent: us }: Start,
  known: Conversation | "unreadable" | undefined,
): ProcessIdentity | undefined {
  const { agent, id } = typeof known === "object" ? known : {};
  const announced = mail.presences().filter((presence) => presence.role === role);
  const agents = [agent, ...announced.map((presence) => presence.agent)];
  const living = agents.find((each) => each !== undefined && each !== us && isProcessAlive(each));
  if (living !== undefined) return living;
  const owner = id === undefined ? undefined : conversations.findOwner(env, id);
  return owner === us ? undefined : owner;
}

function choose(start: Start, known: Conversation | "unreadable" | undefined): Conversation & { id: string } {
  const { role, program, agent, makeId = newId } = start;
  const now = new Date().toISOString();
  const programFolder = start.conversations.programFolder(start.env);
  const began = { since: now, agent, started: now, start: "began" } as const;
  const fresh = { role, program, id: makeId(), programFolder, ...began };
  if (known === undefined) return fresh;
  if (known === "unreadable") return { ...fresh, beganBecause: "unreadable-note" };
  if (known.program !== program) return { ...fresh, beganBecause: "other-program" };
  const { id } = known;
  const transcript = id === undefined ? undefined : findTranscript(start, { ...known, id });
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
    ritual: ritualIn(transcript, start, known.ritual, now),
    // What it owes is part of how it was cut off, and it is told of that in one message.
    unfinished: undefined,
    readInTurn: undefined,
    cutOff: withUntold(known, findInterruptedTurn(start.mail, role, known, transcript)),
  };
}

function findTranscript({ conversations, env, relayDir }: Start, kept: Conversation & { id: string }) {
  return conversations.findTranscript(kept, { env, relayDir });
}

/**
 * When the conversation was given its ritual. The relay may have been killed after it gave the ritual and before it
 * recorded that. And a prompt that is submitted right before a crash is lost in the agent program: then the record is
 * newer than anything in the transcript, which does not have the text.
 */
function ritualIn(
  transcript: Transcript,
  { ritual }: Start,
  noted: string | undefined,
  now: string,
): string | undefined {
  if (ritual === undefined) return noted;
  const lastAt = transcript.lastAt();
  if (noted !== undefined && (lastAt === undefined || noted <= lastAt)) return noted;
  const isIn = transcript.hasPromptOf(ritual) || transcript.mentions(ritual.trim());
  return isIn ? (noted ?? now) : undefined;
}

/** An agent that was never told of the time before is told now, even if the process in between did nothing. */
function withUntold({ cutOff: last }: Conversation, found: CutOff | undefined): CutOff | undefined {
  const untold = last?.told === undefined ? last : undefined;
  if (found === undefined || untold === undefined) return found ?? untold;
  return { ...found, read: [...new Set([...(untold.read ?? []), ...(found.read ?? [])])] };
}

function newId(): string {
  return process.getBuiltinModule("node:crypto").randomUUID();
}
