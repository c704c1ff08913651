/** Whether to ring, how, or why not: one pure function over a closed set of facts. */
import type { AgentState, HoldReason, Way } from "../army/words.ts";

export interface Facts {
  /** The most pressing of the unread mail. */
  mail: "none" | "normal" | "urgent";
  agent: AgentState;
  /** It is busy only because its subagents are. */
  turnIsOver: boolean;
  /** A usage limit of the army's has not been lifted yet. */
  limited: boolean;
  /** Down: not rung for this mail. Rung: an answer may still come. Due: no answer came, and it is time to try again. */
  bell: "down" | "rung" | "due";
  /** The ways of ringing that are open from here, the one to take first in front. */
  ways: readonly RingingWay[];
}

/** A turn's end rings by itself (the hook), so it is not one that can be chosen. */
export type RingingWay = Exclude<Way, "hook">;

export type Decision =
  { act: "nothing" } | { act: "hold"; why: HoldReason } | { act: "ring"; way: RingingWay };

export function decide({ mail, agent, turnIsOver, limited, bell, ways }: Facts): Decision {
  if (mail === "none" || bell === "rung") return { act: "nothing" };
  switch (agent) {
    case "idle":
    case "failed":
      // The next turn would die of the same limit.
      return limited ? { act: "hold", why: "limit" } : ring(ways, "no-pane");
    case "busy":
      // A socket puts it between two tool calls; anything else would have to be typed into a turn.
      return mail === "urgent" || turnIsOver ? ring(harmless(ways), "busy") : { act: "hold", why: "busy" };
    case "asking":
    case "starting":
      return { act: "hold", why: agent };
    case "gone":
      return { act: "hold", why: "agent-gone" };
    case "unknown":
      return limited ? { act: "hold", why: "limit" } : ring(harmless(ways), "state-unknown");
  }
}

/** What cannot do harm in whatever state the agent is. */
function harmless(ways: readonly RingingWay[]): RingingWay[] {
  return ways.filter((way) => way === "socket");
}

function ring([way]: readonly RingingWay[], otherwise: HoldReason): Decision {
  return way === undefined ? { act: "hold", why: otherwise } : { act: "ring", way };
}
