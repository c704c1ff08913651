/** Decides whether to ring and how, or why not: one pure function over a closed set of facts. */
import type { AgentState, HoldReason, Way } from "../army/words.ts";

export interface Facts {
  /** The most urgent kind of unread mail. */
  mail: "none" | "normal" | "urgent";
  agent: AgentState;
  /** The agent is busy or asking only because its subagents are. */
  turnIsOver: boolean;
  /** Urgent mail reaches the agent through a hook after its next tool, or at the end of its turn. */
  hookBringsUrgent: boolean;
  /** The person has to decide before this mail wakes anybody. */
  heldBack: HoldReason | undefined;
  /** A usage limit that an agent of this army hit has not been lifted yet. */
  limited: boolean;
  /**
   * Down: not rung for this mail. Rung: the agent may still answer. Due: it did not answer, and it is time to try
   * again.
   */
  bell: "down" | "rung" | "due";
  /** The ways of ringing that are available, in the order to try them. */
  ways: readonly RingingWay[];
}

/** The hook rings by itself at the end of a turn, so it cannot be chosen. */
export type RingingWay = Exclude<Way, "hook">;

export type Decision =
  { act: "nothing" } | { act: "hold"; why: HoldReason } | { act: "ring"; way: RingingWay };

export function decide(facts: Facts): Decision {
  const { mail, agent, turnIsOver, hookBringsUrgent, heldBack, limited, bell, ways } = facts;
  if (mail === "none" || bell === "rung") return { act: "nothing" };
  if (heldBack !== undefined && agent !== "starting" && agent !== "gone")
    return { act: "hold", why: heldBack };
  switch (agent) {
    case "idle":
    case "failed":
      // The next turn would fail because of the same limit.
      return limited ? { act: "hold", why: "limit" } : ring(ways, "no-pane");
    case "busy":
      // The socket delivers between two tools, as the hook does; the other ways would type into a running turn.
      return turnIsOver || (mail === "urgent" && !hookBringsUrgent)
        ? ring(harmless(ways), "busy")
        : { act: "hold", why: "busy" };
    case "asking":
      return turnIsOver && !limited ? ring(harmless(ways), "asking") : { act: "hold", why: "asking" };
    case "starting":
      return { act: "hold", why: "starting" };
    case "gone":
      return { act: "hold", why: "agent-gone" };
    case "unknown":
      return limited ? { act: "hold", why: "limit" } : ring(harmless(ways), "state-unknown");
  }
}

/** The ways that are safe whatever the agent is doing. */
function harmless(ways: readonly RingingWay[]): RingingWay[] {
  return ways.filter((way) => way === "socket");
}

function ring([way]: readonly RingingWay[], otherwise: HoldReason): Decision {
  return way === undefined ? { act: "hold", why: otherwise } : { act: "ring", way };
}
