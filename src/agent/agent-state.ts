/** Judges an agent's state from what its hooks and its registry report. Pure. */
import type { AgentState, Evidence } from "../army/words.ts";
import type { HookEvent } from "./hook-call.ts";

export interface Failure {
  /** The agent program's own word, or `unknown`. */
  error: string;
  /** When the limit is lifted, if that is known. */
  until?: number | undefined;
}

/** What one source reports, and since when, in milliseconds. */
export interface Sighting {
  state: "idle" | "busy" | "asking" | "failed";
  at: number;
  /** The error that ended its last turn. */
  failure?: Failure | undefined;
  /** When it was last confirmed, if that was later. */
  saidAgainAt?: number | undefined;
  waitingFor?: string | undefined;
}

export interface Judgement {
  state: Exclude<AgentState, "starting" | "gone">;
  evidence: Evidence;
  at: number | undefined;
  waitingFor?: string | undefined;
  failure?: Failure | undefined;
  /** Its turn is over, and only its subagents keep it busy: a bell through its socket starts a turn at once. */
  turnIsOver?: boolean;
}

/** The agent's state after a hook's event. */
export function stateAfter(event: HookEvent): Sighting["state"] {
  switch (event) {
    case "prompted":
    case "tool-begins":
    case "tool-ended":
      return "busy";
    case "asking":
      return "asking";
    case "turn-failed":
      return "failed";
    case "turn-ended":
    case "turn-interrupted":
    case "conversation-began":
      return "idle";
  }
}

/**
 * Hooks do not report an Esc or a refused permission; the registry does. So if the two disagree, the registry is
 * right if its report is newer. If its report is older, it may just lag behind, and the state is unknown.
 */
export function judgeState(hook: Sighting | undefined, registry: Sighting | undefined): Judgement {
  // The registry shows an agent whose turn has failed as idle; only its next turn changes that.
  if (hook?.state === "failed" && registry?.state === "idle") return { ...hook, evidence: "hook" };
  if (hook && registry && hook.state !== registry.state && registry.at < (hook.saidAgainAt ?? hook.at)) {
    return { state: "unknown", evidence: "none", at: undefined };
  }
  if (registry && (!hook || hook.state !== registry.state)) {
    // Every turn begins with a prompt, which a hook would have reported.
    const turnIsOver = registry.state === "busy" && (hook?.state === "idle" || hook?.state === "failed");
    return { ...registry, evidence: "registry", ...(turnIsOver && { turnIsOver }) };
  }
  if (hook) return { ...hook, evidence: "hook", waitingFor: hook.waitingFor ?? registry?.waitingFor };
  return { state: "unknown", evidence: "none", at: undefined };
}
