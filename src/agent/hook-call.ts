/** What an agent reports to its relay, in words that are the same for every agent program. */
import type { Asked } from "../mail/records/request.ts";
import type { Failure, Sighting } from "./agent-state.ts";

/** The relay's name among an agent's MCP servers. */
export const RELAY_SERVER = "ovld-relay";

/** A tool of the relay that is not listed: hooks call it, models do not see it. */
export const HOOK_TOOL = "agent_event";

/**
 * What can happen to an agent, and its state afterwards. Its end is not included: the relay ends with its agent, which
 * shows that the agent is gone.
 */
export const STATE_AFTER = {
  /** A turn begins. */
  prompted: "busy",
  "tool-begins": "busy",
  "tool-ended": "busy",
  /** All tools of one answer of the model have ended, and the model gets their results next. */
  "tools-ended": "busy",
  /** The agent asks the person for something, and the turn waits for the answer. */
  asking: "asking",
  "turn-ended": "idle",
  "turn-failed": "failed",
  /** The person has ended the turn. */
  "turn-interrupted": "idle",
  "conversation-began": "idle",
} as const satisfies Record<string, Sighting["state"]>;

export type HookEvent = keyof typeof STATE_AFTER;

/** What ended the previous conversation. */
export type ConversationLoss = "cleared" | "compacted";

export interface HookCall {
  event: HookEvent;
  prompt: string;
  /** The tool that the event is about, by the name that the person sees. */
  tool: string;
  /** Whether that tool is the one that returns the agent's mail. */
  asksForMail: boolean;
  /** Whether that tool is any of the relay's own, or another that does nothing by itself. */
  isNoWork?: true | undefined;
  /** The conversation in which it happened, and the program's file for it. */
  conversation?: { id: string; transcript?: string | undefined } | undefined;
  failure?: Failure | undefined;
  /** The tool's input as the program prints it, where the program says it. */
  toolInput?: string | undefined;
  /** What the agent asks the person, if that can be answered outside its pane. */
  request?: Asked | undefined;
  /** Whether the person typed the prompt; the others are bells, or the program's own. */
  isTyped?: boolean | undefined;
  /** Whether the agent has left something running that will begin its next turn. */
  goesOn?: boolean | undefined;
  /** What it said last before its turn ended. */
  lastWords?: string | undefined;
  /** How the new conversation lost the previous one, if it did. */
  lost?: ConversationLoss | undefined;
}
