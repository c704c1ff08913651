/** What an agent tells its relay of itself, in words that are the same for every agent program. */
import type { Failure } from "./agent-state.ts";

/** The relay's name among an agent's MCP servers. */
export const RELAY_SERVER = "ovld-relay";

/** A tool of the relay that is not in its list: hooks call it, models do not see it. */
export const HOOK_TOOL = "agent_event";

/**
 * What can happen to an agent. Its end is not among it: that an agent is gone is seen from its relay, which ends with
 * it.
 */
export type HookEvent =
  /** A turn begins. */
  | "prompted"
  | "tool-begins"
  | "tool-ended"
  /** The person is asked for something, and the turn waits for the answer. */
  | "asking"
  | "turn-ended"
  | "turn-failed"
  /** The person has ended the turn. */
  | "turn-interrupted"
  | "conversation-began";

/** How the conversation came to an end that the new one follows. */
export type ConversationLoss = "cleared" | "compacted";

export interface HookCall {
  event: HookEvent;
  prompt: string;
  /** The tool it is about, by the name that the person is shown. */
  tool: string;
  /** Whether that tool is the one that gives the agent its mail. */
  asksForMail: boolean;
  /** What a turn died of. */
  failure?: Failure | undefined;
  /** What a conversation that began has lost, if anything. */
  lost?: ConversationLoss | undefined;
}
