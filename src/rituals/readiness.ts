/** Decides from the facts whether an agent can be given its ritual, or what it waits for. Pure. */
import type { AgentScreen } from "../agent/agent-link.ts";
import type { AgentState, RitualWait } from "../army/words.ts";

export interface AgentFacts {
  /**
   * Its relay is running and has listed its tools, which an agent requests only after its first questions are
   * answered.
   */
  announced: boolean;
  state: AgentState | undefined;
  screen: readonly string[];
  agentScreen: AgentScreen;
}

export function readinessOf({ announced, state, screen, agentScreen }: AgentFacts): "ready" | RitualWait {
  const question = agentScreen.firstQuestionOn(screen);
  const composer = agentScreen.readComposer(screen);
  const isAsking = composer === undefined && screen.some((line) => line.includes("?"));
  if (!announced) return question ?? (isAsking ? "asks-first" : "starting");
  if (state === "busy") return "busy";
  if (composer === undefined) return question ?? (state === "asking" ? "asking" : "no-composer");
  if (state === "asking") return "asking";
  return composer === "" ? "ready" : "draft";
}
