/** The programs that can bring a role to life. */
export const AGENT_NAMES = ["claude", "practice"] as const;

export type AgentName = (typeof AGENT_NAMES)[number];
