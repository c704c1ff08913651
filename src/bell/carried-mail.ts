/**
 * Short mail that goes along with a bell, so that its reader need not ask for it.
 *
 * It is as safe as mail that was asked for: it is held until something shows that the model has had it. A turn that
 * begins with its bell is not enough, because it may be interrupted or die before the model has answered; what the
 * agent does in that turn is. Whatever ends the turn otherwise, or begins another, leaves the mail unread: it is rung for
 * again, and `check_inbox` gives it, marked. No message goes along twice. The person's own mail never does: text that
 * claims to be mail can then pass for a role's at worst.
 */
import type { HookCall } from "../agent/hook-call.ts";
import type { BellLoopOptions } from "./bell-loop-options.ts";
import type { ShortMail } from "../mail/claim-short.ts";
import { tellMessage, type Header, type ReceivedMessage } from "../mail/message.ts";
import { printOnOneLine } from "../system/one-line-json.ts";
import type { Way } from "../army/words.ts";

/** With its trigger well within what an agent program takes from a hook. */
const SHORT = { most: 6_144, measure: printedBytes };

export interface CarriedMail {
  /** Takes this mail along; undefined if it has to be asked for. */
  take(headers: readonly Header[], ids: readonly string[], way: Way): Load | undefined;
  /** A hook has spoken; returns the messages of which that shows that they have arrived. */
  hear(call: Pick<HookCall, "event" | "prompt" | "asksForMail">): readonly ReceivedMessage[];
  /** This way has refused a bell with mail. */
  refused(way: Way): void;
  /** The agent is given all its mail by another way. */
  drop(): void;
  /** What is on its way. */
  ids(): string[];
}

interface Load {
  /** The line to put behind the trigger. */
  text: string;
  /** Says by which mark its turn is known. */
  goesWith(mark: string): void;
}

interface OnItsWay extends ShortMail {
  mark: string | undefined;
  /** The agent's turn has it. */
  isInTurn: boolean;
}

export function carryMail({
  role,
  mail,
  word,
}: Pick<BellLoopOptions, "role" | "mail" | "word">): CarriedMail {
  let onTheirWay: OnItsWay[] = [];
  /** Without hooks nobody would ever say that it has arrived. */
  let hasHooks = false;
  const refusing = new Set<Way>();
  return {
    take(headers, ids, way) {
      const isOpen = word !== undefined && hasHooks && way !== "typing" && !refusing.has(way);
      const isForCarrying = headers.length === ids.length && headers.every(({ from }) => from !== "human");
      const taken = isOpen && isForCarrying ? takeShort(ids) : undefined;
      if (taken === undefined) return undefined;
      const one: OnItsWay = { ...taken, mark: undefined, isInTurn: way === "hook" };
      onTheirWay.push(one);
      return { text: printMail(taken.messages), goesWith: (mark) => void (one.mark = mark) };
    },
    hear({ event, prompt, asksForMail }) {
      hasHooks = true;
      switch (event) {
        case "prompted":
          for (const one of onTheirWay) {
            const begins = one.mark !== undefined && prompt.includes(one.mark);
            // Another turn, before the one that had it did anything.
            if (one.isInTurn && !begins) remove(one);
            one.isInTurn = begins;
          }
          return [];
        case "tool-ended":
        case "asking":
        case "turn-ended":
          return settleInTurn();
        case "turn-failed":
        case "turn-interrupted":
        case "conversation-began":
          onTheirWay = onTheirWay.filter(({ isInTurn }) => !isInTurn);
          return [];
        case "tool-begins":
          // One that asks for its mail all the same is given this, too.
          return asksForMail ? [] : settleInTurn();
      }
    },
    refused: (way) => void refusing.add(way),
    drop: () => void (onTheirWay = []),
    ids: () => onTheirWay.flatMap(({ messages }) => messages.map(({ id }) => id)),
  };

  function remove(one: OnItsWay): void {
    onTheirWay = onTheirWay.filter((each) => each !== one);
  }

  function takeShort(ids: readonly string[]): ShortMail | undefined {
    try {
      return mail.claimShort(role, ids, SHORT);
    } catch {
      // A full disk: the bell goes without.
      return undefined;
    }
  }

  function settleInTurn(): readonly ReceivedMessage[] {
    const arrived = onTheirWay.filter(({ isInTurn }) => isInTurn);
    onTheirWay = onTheirWay.filter(({ isInTurn }) => !isInTurn);
    for (const { settle } of arrived) settle();
    return arrived.flatMap(({ messages }) => messages);
  }
}

/** As `check_inbox` gives it, and without a sign that could end what it is wrapped in. */
function printMail(messages: readonly ReceivedMessage[]): string {
  return withoutTags(printOnOneLine(messages.map(tellMessage)));
}

function withoutTags(text: string): string {
  return text.replaceAll("<", String.raw`\u003c`);
}

function printedBytes(text: string): number {
  return Buffer.byteLength(withoutTags(text));
}
