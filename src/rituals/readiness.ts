/** Whether an agent can be given its ritual: facts in, ready or what it waits for out. Pure. */
import { firstQuestionOn } from "../agent/claude/first-questions.ts";
import { readComposer } from "../agent/composer.ts";
import type { AgentState } from "../mail/agent-report.ts";
import type { RitualWait } from "../mail/journal.ts";

export interface AgentFacts {
  /** Its relay lives and was asked for its tools: an agent does that only when its first questions are answered. */
  announced: boolean;
  /** What its relay says of it, if it does. */
  state: AgentState | undefined;
  /** Undefined if nobody looked. */
  screen: readonly string[] | undefined;
}

export function readinessOf({ announced, state, screen }: AgentFacts): "ready" | RitualWait {
  const question = screen && firstQuestionOn(screen);
  if (!announced || screen === undefined) return question ?? "starting";
  if (state === "busy") return "busy";
  const composer = readComposer(screen);
  if (composer === undefined) return question ?? (state === "asking" ? "asking" : "no-composer");
  if (state === "asking") return "asking";
  return composer === "" ? "ready" : "draft";
}
