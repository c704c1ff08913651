/**
 * The brake: agents that write to each other and do nothing else in between are held after some messages, until the
 * person decides. It goes by form, not by language.
 *
 * A message says its place in its talk: one more than that of the mail its writer had read, if the writer has done
 * nothing else since. So it makes no difference whether two agents thank each other or six go round in a ring, no relay
 * has to know what the others do, and nobody has to read the journal. What follows from work, or from the person's
 * word, is the first message of a new talk, also for whoever only passes it on.
 */
import type { HookCall } from "../agent/hook-call.ts";
import { isRole, type Role } from "../army/roles.ts";
import type { Mail } from "../mail/mail.ts";
import { isStopped } from "../mail/records/decision.ts";
import type { Message } from "../mail/store/message.ts";

export type Said = Pick<Message, "id" | "from" | "talk">;

export type Brake = ReturnType<typeof applyBrake>;

interface BrakedRole {
  role: Role;
  mail: Pick<Mail, "agentReport" | "brakeDecision" | "headers">;
  /** How many messages a talk may have; 0 for any number. */
  most: number;
}

export function applyBrake({ role, mail, most }: BrakedRole) {
  let reached: number | undefined;
  /** Without hooks nothing shows that the agent works: then it is never in a talk. */
  let isHeard = false;
  // An earlier relay of this role may have been in the middle of a talk.
  const talk = (): number => {
    reached ??= mail.agentReport(role)?.talk;
    return isHeard ? (reached ?? 0) : 0;
  };
  return {
    /** How far the talk has come that the agent is in; 0 if it has worked since. */
    talk,
    /** What its next message to an agent says about itself, and whether that is the last one that wakes its reader. */
    next: () => ({ talk: talk() + 1, isLast: talk() + 1 === most }),
    /** The agent has received these messages. */
    wasRead(messages: readonly Said[]): void {
      if (messages.length > 0) reached = shortestTalk(messages, letGo(mail, role));
    },
    hear(call: HookCall): void {
      isHeard = true;
      if (endsTalk(call)) reached = 0;
    },
    /** Without the messages that the person has stopped: they wake nobody, whatever comes after them. */
    withoutStopped(ids: string[]): string[] {
      const decision = mail.brakeDecision(role);
      return decision === undefined ? ids : ids.filter((id) => !isStopped(decision, id));
    },
    /** Whether all that waits for the agent is held until the person decides. */
    holds: (ids: readonly string[]) => isBraked(mail.headers(role, ids), letGo(mail, role), most),
  };
}

/** The ids of the messages that the person has let go, if any. */
function letGo(mail: BrakedRole["mail"], role: Role): readonly string[] {
  const decision = mail.brakeDecision(role);
  return decision?.says === "go" ? decision.ids : [];
}

/** What comes from the person or from ovld, or has been let go, begins anew; and so does mail that says nothing. */
function talkOf({ id, from, talk = 0 }: Said, released: readonly string[]): number {
  return isRole(from) && !released.includes(id) ? talk : 0;
}

/** Of messages that came at the same time, one that follows from work is reason enough to go on. */
export function shortestTalk(messages: readonly Said[], released: readonly string[] = []): number {
  return Math.min(...messages.map((message) => talkOf(message, released)));
}

export function isBraked(waiting: readonly Said[], released: readonly string[], most: number): boolean {
  return most > 0 && waiting.length > 0 && shortestTalk(waiting, released) > most;
}

const BELL = /\[MESSAGE from /;

/** Whether the agent or a subagent of it has done something besides mail, or the person has said something to it. */
export function endsTalk({ event, isNoWork, prompt }: HookCall): boolean {
  if (event === "tool-ended" || event === "asking") return isNoWork !== true;
  return event === "prompted" && !BELL.test(prompt);
}
