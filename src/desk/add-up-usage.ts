/** What a role has used in all its conversations, from what it has used in each of them, oldest first. Pure. */
import type { AgentUsage } from "../agent/agent-usage.ts";

export interface UsedConversation {
  usage: AgentUsage;
  /** When the role went on in another conversation; undefined for the one it is in. */
  left?: string | undefined;
}

const MOST_TURNS = 2_000;

export function addUpUsage(conversations: readonly UsedConversation[]): AgentUsage {
  const sum = (figure: "input" | "cached" | "output" | "turns" | "emptyWakes"): number =>
    conversations.reduce((total, { usage }) => total + usage[figure], 0);
  return {
    input: sum("input"),
    cached: sum("cached"),
    output: sum("output"),
    turns: sum("turns"),
    emptyWakes: sum("emptyWakes"),
    latest: conversations.flatMap(turnsOf).slice(-MOST_TURNS),
  };
}

/** A turn that was not over when the role left the conversation ended then. */
function turnsOf({ usage: { latest }, left }: UsedConversation): AgentUsage["latest"] {
  return latest.map(({ from, until }) => ({ from, until: until ?? left ?? null }));
}
