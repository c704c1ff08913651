/** One ring of the bell: how it was made, and what it has led to. */
import type { BellReport } from "../mail/agent-report.ts";
import type { Way } from "../army/words.ts";
import { IGNORED_AFTER_MS, UNANSWERED_AFTER_MS, waitAfter } from "./retry-schedule.ts";
import type { HookCall } from "../agent/hook-call.ts";
import type { AgentView } from "./agent-watch.ts";
import type { Facts } from "./decide.ts";
import type { Trigger } from "./trigger.ts";

export interface Ring {
  trigger: Trigger;
  way: Way;
  at: number;
  /** When the first of this row of rings was made. */
  firstAt: number;
  attempt: number;
  /** It was made into a turn: what begins is not seen by the agent's being busy. */
  intoTurn: boolean;
  begun: boolean;
  /** It stands in the journal. */
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

/** `unread`: the messages that wait now, oldest first. */
export function bellFact(
  ring: Ring | undefined,
  view: AgentView,
  unread: readonly string[],
  now: number,
): Facts["bell"] {
  if (ring === undefined) return "down";
  // What was said into a turn, or began it, is not said again before it ends.
  if (view.state === "busy") return "rung";
  const restsSince = isAtRest(view) ? (view.at ?? 0) : 0;
  // Mail that came after a bell which led to nothing does not wait for that bell's next turn.
  const isNewMail = isAtRest(view) && (unread.at(-1) ?? "") > (ring.ids.at(-1) ?? "");
  const patience = isNewMail ? (ring.begun ? 0 : waitAfter(1)) : waitAfter(ring.attempt);
  return now - Math.max(ring.at, restsSince) < patience ? "rung" : "due";
}

/** A turn that ended that often without a look at the mail is not kept from ending again. */
const MOST_HOOKS_IN_A_ROW = 3;

/** Whether a turn that ends has mail coming by this ring, or was told often enough. */
export function isTurnEndQuiet(ring: Ring | undefined, now: number): boolean {
  if (ring === undefined) return false;
  const hasItComing = !ring.begun && (ring.intoTurn || now - ring.at < waitAfter(1));
  return hasItComing || ring.attempt >= MOST_HOOKS_IN_A_ROW;
}

/** Whether the agent sits at its prompt. */
export function isAtRest({ state }: AgentView): boolean {
  return state === "idle" || state === "failed";
}

/** Whether the agent's being busy shows that this ring has begun a turn. */
export function showsBegin(ring: Ring, view: AgentView): boolean {
  return !ring.begun && !ring.intoTurn && view.state === "busy" && (view.at ?? 0) >= ring.at;
}

/** Whether a hook's event shows that the agent has heard this ring. */
export function answers({ way, trigger }: Ring, { event, prompt }: HookCall): boolean {
  if (event === "prompted") return prompt.includes(trigger.mark);
  // A turn that was told at its end went on, whatever it then did, even if that was a few words only.
  return way === "hook";
}

export function reportRing(ring: Ring | undefined, view: AgentView, now: number): BellReport {
  if (ring === undefined) return { state: "quiet" };
  const { way, attempt, begun } = ring;
  if (isUnanswered(ring, view, now)) return { state: "unanswered", at: iso(ring.firstAt), attempt };
  return { state: begun ? "begun" : "rung", way, attempt, at: iso(ring.at) };
}

/** One who sits at its prompt and leaves its mail unread ignores it; anybody else may not have heard. */
export function isUnanswered(ring: Ring | undefined, view: AgentView, now: number): boolean {
  if (ring === undefined) return false;
  const age = now - ring.firstAt;
  return isAtRest(view) ? age >= IGNORED_AFTER_MS : !ring.begun && age >= UNANSWERED_AFTER_MS;
}

function iso(time: number): string {
  return new Date(time).toISOString();
}
