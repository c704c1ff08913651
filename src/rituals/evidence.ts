/** Whether an agent has taken a prompt, from what its relay said of it before and says now. Pure. */
import type { AgentReport } from "../mail/agent-report.ts";

type Said = Pick<AgentReport, "state" | "since">;

/** An agent that was idle and is so again, but only since a moment ago, was busy in between. */
export function hasTakenPrompt(before: Said | undefined, now: Said | undefined): boolean {
  if (now === undefined || now.since <= (before?.since ?? "")) return false;
  if (now.state === "busy" || now.state === "asking") return true;
  return now.state === "idle" && before?.state === "idle";
}
