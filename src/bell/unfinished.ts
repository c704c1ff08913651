/**
 * Tracks mail that an agent read in a turn that then failed. It no longer waits in an inbox, so without this the
 * agent would never return to it. The agent is woken again, after a longer wait each time, until a turn ends well.
 * What is owed is recorded before a hook is answered, so a relay that dies leaves it to the next one.
 */
import type { HookCall } from "../agent/hook-call.ts";
import type { Sender, Role } from "../army/roles.ts";
import type { AgentView } from "./agent-watch.ts";
import type { RingingWay } from "./decide.ts";
import { waitAfterFailure } from "./schedule.ts";
import { type RingResult, nextRing, type Ring } from "./ring-attempt.ts";
import { writeTrigger, type Call } from "./trigger.ts";
import type { Conversation } from "../mail/records/conversation.ts";
import type { Mail } from "../mail/mail.ts";
import type { ProcessIdentity } from "../system/process.ts";

export interface ReadMessage {
  id: string;
  from: Sender;
}

/** What outlives the relay. */
export interface UnfinishedRecord {
  /** What the agent owed when this relay started, because of a failed turn. */
  recalled: readonly ReadMessage[];
  /** What it had read in a turn that may still be running then: an earlier relay died in the middle of it. */
  readBefore: readonly ReadMessage[];
  keep: (owed: readonly ReadMessage[], readInTurn: readonly ReadMessage[]) => void;
}

interface Unfinished {
  /** The agent received these messages. */
  wasRead(messages: readonly ReadMessage[]): void;
  /** `wasAtRest`: whether the agent was at its prompt before this. */
  hear(call: Pick<HookCall, "event" | "lost">, wasAtRest: boolean, now: number): void;
  /** What the agent read in failed turns, oldest first. */
  owed(): readonly ReadMessage[];
  /** Whether it is time to wake an agent in this state for them. */
  isDue(view: Pick<AgentView, "state">, now: number): boolean;
  rung(now: number): void;
}

export function trackUnfinished(record: UnfinishedRecord, began: number): Unfinished {
  const { recalled, readBefore, keep } = record;
  let readInTurn = readBefore;
  let owed = recalled;
  /** An earlier relay saw the turn fail. This one sees only that the agent is at its prompt. */
  let isRecalled = recalled.length > 0;
  let attempts = 0;
  let waitsSince = began;
  const remember = (owes: readonly ReadMessage[], read: readonly ReadMessage[]): void => {
    const isSame = [owes, owed, read, readInTurn].every((list) => list.length === 0);
    [owed, readInTurn] = [owes, read];
    if (!isSame) keep(owed, readInTurn);
  };
  return {
    wasRead(messages) {
      if (messages.length > 0) remember(owed, [...readInTurn, ...messages]);
    },
    hear({ event, lost }, wasAtRest, now) {
      // Claude Code reports no interruption: the next prompt then finds the agent at rest.
      const isInterrupted = event === "turn-interrupted" || (event === "prompted" && wasAtRest);
      if (event === "prompted") isRecalled = false;
      // Nobody can finish what a cleared conversation was about.
      if (event === "turn-ended" || lost === "cleared") {
        remember([], []);
        attempts = 0;
      }
      if (event !== "turn-failed" && !isInterrupted) return;
      // A person who interrupts a turn does so on purpose.
      if (readInTurn.length > 0) remember(event === "turn-failed" ? [...owed, ...readInTurn] : owed, []);
      waitsSince = now;
    },
    owed: () => owed,
    isDue({ state }, now) {
      const isAtRest = state === "failed" || (isRecalled && state === "idle");
      return owed.length > 0 && isAtRest && now - waitsSince >= waitAfterFailure(attempts);
    },
    rung(now) {
      attempts += 1;
      waitsSince = now;
    },
  };
}

/**
 * Rings by the first way that works. The agent has already read this mail, so nothing is unread and no flag is
 * raised.
 */
export async function ringForUnfinished(
  unfinished: Unfinished,
  ways: readonly RingingWay[],
  now: () => number,
  ringBy: (way: RingingWay, call: Call, ring: Ring) => Promise<RingResult>,
): Promise<Ring | undefined> {
  const owed = unfinished.owed();
  const ids = owed.map(({ id }) => id);
  unfinished.rung(now());
  for (const way of ways) {
    const typed = way === "typing";
    const trigger = writeTrigger(owed, { mail: "none", unfinished: true, typed });
    const ring = nextRing(undefined, { trigger, way, at: now(), intoTurn: false, ids });
    const result = await ringBy(way, { trigger, text: trigger.text }, ring);
    if ("rung" in result) return ring;
  }
  return undefined;
}

interface Place {
  role: Role;
  mail: Pick<Mail, "conversation" | "recordConversation">;
  /** Undefined in an army set up by hand, which has no record of its conversations. */
  agent: ProcessIdentity | undefined;
  /** Whether the last turn in this file failed. */
  endsInError: (transcript: string) => boolean;
}

/**
 * Keeps the mail that an agent owes in the record of its conversation, so that the relay or the agent that comes after
 * knows it as well.
 */
export function keepUnfinished(place: Place): UnfinishedRecord {
  let retry: NodeJS.Timeout | undefined;
  const keep: UnfinishedRecord["keep"] = (owed, readInTurn) => {
    clearTimeout(retry);
    try {
      write(place, { unfinished: listed(owed), readInTurn: listed(readInTurn) });
    } catch {
      // A disk that is full now may not be so later.
      retry = setTimeout(() => keep(owed, readInTurn), 1_000).unref();
    }
  };
  const own = ownRecord(place);
  const { unfinished = [], readInTurn = [], transcript } = own ?? {};
  // An earlier relay died in that turn, and the turn failed when there was none.
  const hasFailed = readInTurn.length > 0 && transcript !== undefined && place.endsInError(transcript);
  if (hasFailed) return { recalled: [...unfinished, ...readInTurn], readBefore: [], keep };
  return { recalled: unfinished, readBefore: readInTurn, keep };
}

function write(place: Place, next: Pick<Conversation, "unfinished" | "readInTurn">): void {
  const own = ownRecord(place);
  if (own === undefined) return;
  const { unfinished, readInTurn } = own;
  if (JSON.stringify({ unfinished, readInTurn }) === JSON.stringify(next)) return;
  place.mail.recordConversation({ ...own, ...next });
}

function listed(messages: readonly ReadMessage[]): ReadMessage[] | undefined {
  return messages.length === 0 ? undefined : messages.map(({ id, from }) => ({ id, from }));
}

/** Undefined if the role's record is about another agent. */
function ownRecord({ role, mail, agent }: Place) {
  const found = agent === undefined ? undefined : mail.conversation(role);
  return typeof found === "object" && found.agent === agent ? found : undefined;
}
