/** Whether an agent can be given its ritual: facts in, ready or what it waits for out. Pure. */
import { firstQuestionOn } from "../agent/claude/first-questions.ts";
import { readComposer } from "../agent/composer.ts";
import type { AgentState, RitualWait } from "../army/words.ts";

export interface AgentFacts {
  /** Its relay lives and was asked for its tools: an agent does that only when its first questions are answered. */
  announced: boolean;
  /** What is known of it, if anything is. */
  state: AgentState | undefined;
  screen: readonly string[];
}

export function readinessOf({ announced, state, screen }: AgentFacts): "ready" | RitualWait {
  const question = firstQuestionOn(screen);
  if (!announced) return question ?? (hasWords(screen) ? "asks-first" : "starting");
  if (state === "busy") return "busy";
  const composer = readComposer(screen);
  if (composer === undefined) return question ?? (state === "asking" ? "asking" : "no-composer");
  if (state === "asking") return "asking";
  return composer === "" ? "ready" : "draft";
}

function hasWords(screen: readonly string[]): boolean {
  return readComposer(screen) === undefined && screen.some((line) => line.includes("?"));
}
