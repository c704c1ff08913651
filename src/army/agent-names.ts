/** The agent programs that a role can run. */
export const AGENT_NAMES = ["claude", "practice"] as const;

export type AgentName = (typeof AGENT_NAMES)[number];
