/** How an agent is, judged from what its hooks and its registry say. Pure. */
import type { AgentState, Evidence } from "../army/words.ts";
import type { HookEvent } from "./hook-call.ts";

export interface Failure {
  /** In the agent program's own word, or `unknown`. */
  error: string;
  /** When a limit is lifted, if that was said. */
  until?: number | undefined;
}

/** What one source says, and since when, in milliseconds. */
export interface Sighting {
  state: "idle" | "busy" | "asking" | "failed";
  at: number;
  /** What its last turn died of. */
  failure?: Failure | undefined;
  /** When it was last said, if that was later. */
  saidAgainAt?: number | undefined;
  waitingFor?: string | undefined;
}

export interface Judgement {
  state: Exclude<AgentState, "starting" | "gone">;
  evidence: Evidence;
  at: number | undefined;
  waitingFor?: string | undefined;
  failure?: Failure | undefined;
  /** Its turn is over, and what keeps it busy are its subagents: a bell through its socket begins a turn at once. */
  turnIsOver?: boolean;
}

/** What a hook's event says of its agent. */
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
 * Hooks do not tell of an Esc or a refused permission; the registry does. So where the two disagree, a registry
 * that spoke later is right, and one that spoke earlier may only be late: then nobody knows.
 */
export function judgeState(hook: Sighting | undefined, registry: Sighting | undefined): Judgement {
  // To the registry an agent whose turn has failed is idle; only the next turn makes it anything else.
  if (hook?.state === "failed" && registry?.state === "idle") return { ...hook, evidence: "hook" };
  if (hook && registry && hook.state !== registry.state && registry.at < (hook.saidAgainAt ?? hook.at)) {
    return { state: "unknown", evidence: "none", at: undefined };
  }
  if (registry && (!hook || hook.state !== registry.state)) {
    // Every turn begins with a prompt, of which a hook would have told.
    const turnIsOver = registry.state === "busy" && (hook?.state === "idle" || hook?.state === "failed");
    return { ...registry, evidence: "registry", ...(turnIsOver && { turnIsOver }) };
  }
  if (hook) return { ...hook, evidence: "hook", waitingFor: hook.waitingFor ?? registry?.waitingFor };
  return { state: "unknown", evidence: "none", at: undefined };
}
