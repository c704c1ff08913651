/**
 * Decides when a hook of a running turn rings: at the end of the turn, and between two tools. Between tools, urgent
 * mail does, and other mail only after the agent has used one of our tools: it is between two pieces of work then, and
 * need not end its turn to receive mail. Pure apart from what it remembers of the turn.
 */
import type { HookCall } from "../agent/hook-call.ts";
import { hasOthers, isTurnEndQuiet, type Ring } from "./ring-attempt.ts";

interface Inbox {
  /** Oldest first. */
  unread: () => string[];
  isUrgent: (ids: string[]) => boolean;
}

/** A ring by the answer to a hook. */
export interface HookRing {
  text: string;
  /** The agent has discarded the answer: its mail stays unread, and the agent has not been rung. */
  takeBack(): void;
}

export interface TurnHooks {
  /** Whether the answer to this hook should ring. */
  hear(call: Pick<HookCall, "event">, ring: Ring | undefined, inbox: Inbox, now: number): boolean;
  /** Whether the agent reports when its tools have ended, so that urgent mail can reach it there. */
  reportTools(): boolean;
}

/** `most`: how many times in a row a turn can be made to continue; 0 if hooks must not ring. */
export function trackTurn(most: number): TurnHooks {
  let ringsAtEnd = 0;
  let hasTalked = false;
  let hasReported = false;
  return {
    reportTools: () => hasReported,
    hear({ event }, ring, { unread, isUrgent }, now) {
      if (most === 0) return false;
      switch (event) {
        case "prompted":
          ringsAtEnd = 0;
          hasTalked = false;
          return false;
        case "tool-begins":
          // Only our own tools are reported before they begin.
          hasTalked = true;
          return false;
        case "tools-ended": {
          hasReported = true;
          const isBreak = hasTalked;
          hasTalked = false;
          const ids = unread();
          return hasOthers(ids, ring?.ids ?? []) && (isBreak || isUrgent(ids));
        }
        case "turn-ended": {
          if (unread().length === 0 || isTurnEndQuiet(ring, now) || ringsAtEnd >= most) return false;
          ringsAtEnd += 1;
          return true;
        }
        case "tool-ended":
        case "asking":
        case "turn-failed":
        case "turn-interrupted":
        case "conversation-began":
          return false;
      }
    },
  };
}
