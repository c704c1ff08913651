/**
 * Short mail that travels with a bell, so that the agent need not ask for it.
 *
 * It is as safe as mail that was asked for: the store keeps it until the model has provably seen it. A turn that
 * begins with the bell is no proof, because it may be interrupted or fail before the model answers; anything the
 * agent does in that turn is. If the turn ends in any other way, or another turn begins first, the mail stays unread:
 * the agent is rung again, and `check_inbox` returns the mail, marked. If the turn failed, the agent had the mail and
 * only its model did not answer, so the next bell carries it once more, marked. Mail from the person is never carried,
 * so a forged text can at worst pass for mail from a role.
 */
import type { HookCall } from "../agent/hook-call.ts";
import type { Role } from "../army/roles.ts";
import type { Mail } from "../mail/mail.ts";
import type { ShortMail } from "../mail/store/claim.ts";
import { describeBriefly, type Header, type ReceivedMessage } from "../mail/store/message.ts";
import { formatOnOneLine } from "../system/json.ts";
import type { Way } from "../army/words.ts";

/** Together with its trigger, this stays well below what an agent program accepts from a hook. */
const SHORT = { most: 6_144, measure: (text: string) => Buffer.byteLength(withoutTags(text)) };

interface CarryOptions {
  role: Role;
  mail: Mail;
  /** The word that marks this mail as genuine; undefined if bells carry no mail. */
  word: string | undefined;
  timeOfDay: () => number;
  /** Called before the store forgets these messages. */
  onArrival: (messages: readonly ReceivedMessage[]) => void;
}

interface Load extends ShortMail {
  /** In the prompt with which the turn of this mail begins. */
  mark: string;
  /** The agent's current turn includes this mail. */
  isInTurn: boolean;
  /** It is carried for the second time. */
  isAgain: boolean;
}

export type CarriedMail = ReturnType<typeof carryMail>;

export function carryMail({ role, mail, word, timeOfDay, onArrival }: CarryOptions) {
  let onTheirWay: Load[] = [];
  /** What was in a turn that failed. */
  let failed: Load[] = [];
  /** Mail is carried only once hooks have reported: without them, nothing would ever prove its arrival. */
  let hasHooks = false;
  const refusing = new Set<Way>();
  return {
    /** Claims this mail to carry it; returns undefined if the agent has to ask for it. */
    take(headers: readonly Header[], ids: readonly string[], way: Way, mark: string) {
      const isOpen = word !== undefined && hasHooks && way !== "typing" && !refusing.has(way);
      const isForCarrying = headers.length === ids.length && headers.every(({ from }) => from !== "human");
      const isAgain = failed.length > 0;
      const taken = isOpen && isForCarrying ? takeAll(ids) : undefined;
      if (taken === undefined) return undefined;
      const load: Load = { ...taken, mark, isInTurn: way === "hook", isAgain };
      onTheirWay.push(load);
      return {
        /** The line that follows the trigger. */
        text: formatMail(taken.messages, timeOfDay()),
        /** The agent has not received it: it stays unread. */
        takeBack: () => remove(load),
      };
    },
    /** Takes a hook's report, which may prove that mail has arrived. */
    hear({ event, prompt, asksForMail }: Pick<HookCall, "event" | "prompt" | "asksForMail">): void {
      hasHooks = true;
      if (event === "prompted") {
        for (const load of onTheirWay) {
          const begins = prompt.includes(load.mark);
          // Another turn began before the one with this mail did anything.
          if (load.isInTurn && !begins) remove(load);
          load.isInTurn = begins;
        }
      } else if (event === "turn-failed") {
        failed.push(...takeInTurn().filter(({ isAgain }) => !isAgain));
      } else if (event === "turn-interrupted" || event === "conversation-began") {
        takeInTurn();
      } else if (event !== "tool-begins" || !asksForMail) {
        // If the agent calls `check_inbox` anyway, the answer includes this mail as well.
        settleInTurn();
      }
    },
    /** This way of ringing has refused a bell with mail. */
    refused: (way: Way) => void refusing.add(way),
    /** The agent receives all its mail by another route. */
    drop: () => void (onTheirWay = failed = []),
    /** The messages that are on their way. */
    ids: () => onTheirWay.flatMap(({ messages }) => messages.map(({ id }) => id)),
  };

  function remove(load: Load): void {
    onTheirWay = onTheirWay.filter((each) => each !== load);
  }

  function takeInTurn(): Load[] {
    const inTurn = onTheirWay.filter(({ isInTurn }) => isInTurn);
    onTheirWay = onTheirWay.filter(({ isInTurn }) => !isInTurn);
    return inTurn;
  }

  function settleInTurn(): void {
    const arrived = takeInTurn();
    onArrival(arrived.flatMap(({ messages }) => messages));
    for (const { settle } of arrived) settle();
  }

  /** What was in a failed turn goes once more, and only once: a failed prompt stays in the conversation. */
  function takeAll(ids: readonly string[]): ShortMail | undefined {
    const parts = failed.map((load) => load.again());
    failed = [];
    const held = parts.flatMap(({ messages }) => messages);
    const rest = ids.filter((id) => !held.some((message) => message.id === id));
    const most = SHORT.most - (held.length === 0 ? 0 : Buffer.byteLength(formatMail(held, timeOfDay())));
    // Some of it may have been read in the meantime.
    if (rest.length + held.length !== ids.length) return undefined;
    if (rest.length === 0) return joinMail(parts);
    try {
      const more = mail.claimShort(role, rest, { ...SHORT, most });
      return more && joinMail([...parts, more]);
    } catch {
      // The disk may be full: the bell then carries no mail.
      return undefined;
    }
  }
}

function joinMail(parts: readonly ShortMail[]): ShortMail {
  return {
    messages: parts
      .flatMap(({ messages }) => messages)
      .toSorted((one, other) => (one.id < other.id ? -1 : 1)),
    settle: () => parts.forEach((part) => part.settle()),
    again: () => joinMail(parts.map((part) => part.again())),
  };
}

/** Nearly as `check_inbox` returns it, without characters that could close the tag around it. */
function formatMail(messages: readonly ReceivedMessage[], now: number): string {
  return withoutTags(formatOnOneLine(messages.map((message) => describeBriefly(message, now))));
}

function withoutTags(text: string): string {
  return text.replaceAll("<", String.raw`\u003c`);
}
