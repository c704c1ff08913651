/**
 * Tracks mail that an agent read in a turn that then failed. It no longer waits in an inbox, so without this the
 * agent would never return to it. The agent is woken again, after a longer wait each time, until a turn ends well.
 * What is owed is kept in the record of the agent's conversation, and written before a hook is answered: the relay or
 * the agent that comes after knows it as well.
 */
import type { HookCall } from "../agent/hook-call.ts";
import type { Role } from "../army/roles.ts";
import type { AgentView } from "./agent-watch.ts";
import { waitAfterFailure } from "./ring-attempt.ts";
import type { Conversation } from "../mail/records/conversation.ts";
import type { Mail } from "../mail/mail.ts";
import { tryUntilDone } from "../system/async.ts";
import type { ProcessIdentity } from "../system/process.ts";

type ReadMessage = NonNullable<Conversation["unfinished"]>[number];

interface Place {
  role: Role;
  mail: Pick<Mail, "conversation" | "recordConversation">;
  /** Undefined in an army set up by hand, which has no record of its conversations. */
  agent: ProcessIdentity | undefined;
  /** Whether the last turn in this file failed. */
  endsInError: (transcript: string) => boolean;
}

export type Unfinished = ReturnType<typeof trackUnfinished>;

export function trackUnfinished(place: Place, began: number) {
  const { unfinished = [], readInTurn: readBefore = [], transcript } = ownRecord(place) ?? {};
  // An earlier relay died in that turn, and the turn failed when there was none.
  const hasFailed = readBefore.length > 0 && transcript !== undefined && place.endsInError(transcript);
  let owed: readonly ReadMessage[] = hasFailed ? [...unfinished, ...readBefore] : unfinished;
  let readInTurn: readonly ReadMessage[] = hasFailed ? [] : readBefore;
  /** An earlier relay saw the turn fail. This one sees only that the agent is at its prompt. */
  let isRecalled = owed.length > 0;
  let attempts = 0;
  let waitsSince = began;
  let writing: { close(): void } | undefined;
  const remember = (owes: readonly ReadMessage[], read: readonly ReadMessage[]): void => {
    const isSame = [owes, owed, read, readInTurn].every((list) => list.length === 0);
    [owed, readInTurn] = [owes, read];
    if (isSame) return;
    writing?.close();
    writing = tryUntilDone(() => record(place, owes, read));
  };
  return {
    /** The agent received these messages. */
    wasRead(messages: readonly ReadMessage[]): void {
      if (messages.length > 0) remember(owed, [...readInTurn, ...messages]);
    },
    /** `wasAtRest`: whether the agent was at its prompt before this. */
    hear({ event, lost }: Pick<HookCall, "event" | "lost">, wasAtRest: boolean, now: number): void {
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
    /** What the agent read in failed turns, oldest first. */
    owed: () => owed,
    /** Whether it is time to wake an agent in this state for them. */
    isDue({ state }: Pick<AgentView, "state">, now: number): boolean {
      const isAtRest = state === "failed" || (isRecalled && state === "idle");
      return owed.length > 0 && isAtRest && now - waitsSince >= waitAfterFailure(attempts);
    },
    rung(now: number): void {
      attempts += 1;
      waitsSince = now;
    },
  };
}

function record(place: Place, owed: readonly ReadMessage[], read: readonly ReadMessage[]): true {
  const own = ownRecord(place);
  const before = { unfinished: own?.unfinished, readInTurn: own?.readInTurn };
  const next = { unfinished: listed(owed), readInTurn: listed(read) };
  if (own && JSON.stringify(before) !== JSON.stringify(next))
    place.mail.recordConversation({ ...own, ...next });
  return true;
}

function listed(messages: readonly ReadMessage[]): ReadMessage[] | undefined {
  return messages.length === 0 ? undefined : messages.map(({ id, from }) => ({ id, from }));
}

function ownRecord({ role, mail, agent }: Place): Conversation | undefined {
  return agent === undefined ? undefined : mail.conversation(role, agent);
}
