/** One ring of the bell: how it was made, what came of it, and when to ring again. */
import type { BellReport } from "../mail/records/agent-report.ts";
import type { HoldReason, Way } from "../army/words.ts";
import type { HookCall } from "../agent/hook-call.ts";
import type { AgentView } from "./agent-watch.ts";
import type { Facts, RingingWay } from "./decide.ts";
import type { Trigger } from "./trigger.ts";

export type RingResult = { rung: true } | { held: HoldReason };

export interface Ring {
  trigger: Trigger;
  way: Way;
  at: number;
  /** When the first ring of this series was made. */
  firstAt: number;
  attempt: number;
  /** The agent was already busy when it was rung, so being busy does not show that it heard. */
  intoTurn: boolean;
  begun: boolean;
  /** The journal has a line for it. */
  noted: boolean;
  ids: string[];
}

export function nextRing(
  before: Ring | undefined,
  ring: Pick<Ring, "trigger" | "way" | "at" | "intoTurn" | "ids">,
): Ring {
  return {
    ...ring,
    firstAt: before?.firstAt ?? ring.at,
    attempt: (before?.attempt ?? 0) + 1,
    begun: false,
    noted: false,
  };
}

/**
 * A ring for new mail in the middle of a turn, which starts a series of its own. Mail that an earlier ring was for and
 * that is still unread has been ignored since then.
 */
export function ringInTurn(before: Ring | undefined, ring: Parameters<typeof nextRing>[1]): Ring {
  const isOldMailLeft = before !== undefined && ring.ids.some((id) => before.ids.includes(id));
  return { ...nextRing(undefined, ring), firstAt: isOldMailLeft ? before.firstAt : ring.at };
}

/**
 * After a ring that was not heard by the first way, the others are tried before it. A hook's ring says nothing about them:
 * the person has interrupted its turn.
 */
export function waysAfter(ring: Ring | undefined, ways: readonly RingingWay[]): readonly RingingWay[] {
  const [first, ...others] = ways;
  return first && ring?.way === first && !ring.begun ? [...others, first] : ways;
}

/** `unread`: the unread messages, oldest first. */
export function bellFact(
  ring: Ring | undefined,
  view: AgentView,
  unread: readonly string[],
  now: number,
): Facts["bell"] {
  if (ring === undefined) return "down";
  // A ring that started a turn or went into one is not repeated before that turn ends.
  if (view.state === "busy") return "rung";
  const restsSince = isAtRest(view) ? (view.at ?? 0) : 0;
  // Mail that arrived after an unsuccessful ring does not have to wait for that ring's next attempt.
  const isNewMail = isAtRest(view) && hasOthers(unread, ring.ids);
  const patience = isNewMail ? (ring.begun ? 0 : waitAfter(1)) : waitAfter(ring.attempt);
  return now - Math.max(ring.at, restsSince) < patience ? "rung" : "due";
}

/**
 * Whether some of this mail is not among what was rung for. The newest id alone does not tell: mail from other machines
 * has ids of its own, which sort differently.
 */
function hasOthers(unread: readonly string[], known: readonly string[]): boolean {
  const ids = new Set(known);
  return unread.some((id) => !ids.has(id));
}

/** After this many rings without a look at the mail, an ending turn is allowed to end. */
const MOST_HOOKS_IN_A_ROW = 3;

/** Whether to let a turn end: this ring will still bring the mail, or there were enough rings. */
export function isTurnEndQuiet(ring: Ring | undefined, now: number): boolean {
  if (ring === undefined) return false;
  const hasItComing = !ring.begun && (ring.intoTurn || now - ring.at < waitAfter(1));
  return hasItComing || ring.attempt >= MOST_HOOKS_IN_A_ROW;
}

/** Whether the agent is at its prompt. */
export function isAtRest({ state }: AgentView): boolean {
  return state === "idle" || state === "failed";
}

/** Whether the busy agent shows that this ring has started a turn. */
export function showsBegin(ring: Ring, view: AgentView): boolean {
  return !ring.begun && !ring.intoTurn && view.state === "busy" && (view.at ?? 0) >= ring.at;
}

/** Whether a hook's event shows that the agent has heard this ring. */
export function answers({ way, trigger }: Ring, { event, prompt }: HookCall): boolean {
  if (event === "prompted") return prompt.includes(trigger.mark);
  // A turn that was rung at its end continued, so any further event is an answer, even after a few words.
  return way === "hook";
}

export function reportRing(ring: Ring | undefined, view: AgentView, now: number): BellReport {
  if (ring === undefined) return { state: "quiet" };
  const { way, attempt, begun } = ring;
  if (isUnanswered(ring, view, now)) return { state: "unanswered", at: iso(ring.firstAt), attempt };
  return { state: begun ? "begun" : "rung", way, attempt, at: iso(ring.at) };
}

/**
 * An agent that is at its prompt and leaves its mail unread ignores the bell; in other states it may not have heard
 * it.
 */
export function isUnanswered(ring: Ring | undefined, view: AgentView, now: number): boolean {
  if (ring === undefined) return false;
  const age = now - ring.firstAt;
  return isAtRest(view) ? age >= IGNORED_AFTER_MS : !ring.begun && age >= UNANSWERED_AFTER_MS;
}

function iso(time: number): string {
  return new Date(time).toISOString();
}

interface Inbox {
  /** Oldest first. */
  unread: () => string[];
  isUrgent: (ids: string[]) => boolean;
}

/**
 * Decides when a hook of a running turn rings: at the end of the turn, and between two tools. Between tools, urgent
 * mail does, and other mail only after the agent has used one of our tools: it is between two pieces of work then, and
 * need not end its turn to receive mail. `most`: how many times in a row a turn can be made to continue; 0 if hooks must
 * not ring.
 */
export function trackTurn(most: number) {
  let ringsAtEnd = 0;
  let hasTalked = false;
  let hasReported = false;
  return {
    /** Whether the agent reports when its tools have ended, so that urgent mail can reach it there. */
    reportTools: () => hasReported,
    /** Whether the answer to this hook should ring. */
    hear(
      { event }: Pick<HookCall, "event">,
      ring: Ring | undefined,
      { unread, isUrgent }: Inbox,
      now: number,
    ): boolean {
      if (most === 0) return false;
      if (event === "prompted") ringsAtEnd = 0;
      if (event === "tools-ended") {
        hasReported = true;
        const isBreak = hasTalked;
        hasTalked = false;
        const ids = unread();
        return hasOthers(ids, ring?.ids ?? []) && (isBreak || isUrgent(ids));
      }
      // Only our own tools are reported before they begin.
      if (event === "tool-begins" || event === "prompted") hasTalked = event === "tool-begins";
      if (event !== "turn-ended") return false;
      if (unread().length === 0 || isTurnEndQuiet(ring, now) || ringsAtEnd >= most) return false;
      ringsAtEnd += 1;
      return true;
    },
  };
}

/** How long a bell waits for an answer before it rings again: longer each time, but it never gives up. */
const MINUTE = 60_000;
const WAITS = [3_000, 10_000, 30_000, MINUTE, 2 * MINUTE, 5 * MINUTE];
const RARELY = 10 * MINUTE;

/** `attempt` counts from 1. */
export function waitAfter(attempt: number): number {
  return WAITS[attempt - 1] ?? RARELY;
}

const FAILURE_WAITS = [5_000, 30_000, MINUTE, 2 * MINUTE, 5 * MINUTE];

/** How long to wait after a failed turn before waking the agent again; `attempts` counts the earlier wake-ups. */
export function waitAfterFailure(attempts: number): number {
  return FAILURE_WAITS[attempts] ?? RARELY;
}

/** After this long without an answer, the person is shown that the agent does not answer. */
export const UNANSWERED_AFTER_MS = 10 * MINUTE;
/** The same for an agent that is at its prompt and could read. */
const IGNORED_AFTER_MS = MINUTE;

/** Less than the pause between two looks, so that the next look is already a try. */
const FIRST_TRY_MS = 150;
const SLOWEST_TRY_MS = 15_000;

/**
 * How soon to retry after a refusal; `refusals` counts from 1. The bell waits about as long again as the person has been
 * in its way: somebody who erases a word should not hold up mail for a second, and a draft may stay for an hour.
 */
export function tryAgainAfter(refusals: number): number {
  return Math.min(FIRST_TRY_MS * 2 ** (refusals - 1), SLOWEST_TRY_MS);
}
