/** One ring of the bell: how it was made, and what it has led to. */
import type { BellReport, Way } from "../mail/agent-report.ts";
import { UNANSWERED_AFTER_MS, waitAfter } from "./patience.ts";
import type { AgentView, HookCall } from "./agent-watch.ts";
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
  };
}

export function bellFact(ring: Ring | undefined, view: AgentView, now: number): Facts["bell"] {
  if (ring === undefined) return "down";
  // What was said into a turn, or began it, is not said again before it ends.
  if (view.state === "busy") return "rung";
  const idleSince = view.state === "idle" ? (view.at ?? 0) : 0;
  return now - Math.max(ring.at, idleSince) < waitAfter(ring.attempt) ? "rung" : "due";
}

/** Whether the agent's being busy shows that this ring has begun a turn. */
export function showsBegin(ring: Ring, view: AgentView): boolean {
  return !ring.begun && !ring.intoTurn && view.state === "busy" && (view.at ?? 0) >= ring.at;
}

/** Whether a hook's event shows that the agent has heard this ring. */
export function answers({ way, trigger }: Ring, { event, prompt }: HookCall): boolean {
  if (event === "UserPromptSubmit") return prompt.includes(trigger.mark);
  return way === "hook" && (event === "PostToolUse" || event === "PermissionRequest");
}

export function reportRing(ring: Ring | undefined, now: number): BellReport {
  if (ring === undefined) return { bell: "quiet" };
  const { way, attempt, begun } = ring;
  if (!begun && isUnanswered(ring, now)) return { bell: "unanswered", at: iso(ring.firstAt), attempt };
  return { bell: begun ? "begun" : "rung", way, attempt, at: iso(ring.at) };
}

export function isUnanswered(ring: Ring | undefined, now: number): boolean {
  return ring !== undefined && now - ring.firstAt >= UNANSWERED_AFTER_MS;
}

function iso(time: number): string {
  return new Date(time).toISOString();
}
