/** How an agent is, judged from what its hooks and its registry say. Pure. */
import type { AgentState, Evidence } from "../mail/agent-report.ts";
import type { HookEvent } from "./hook-settings.ts";

/** What one source says, and since when, in milliseconds. */
export interface Sighting {
  state: "idle" | "busy" | "asking";
  at: number;
  /** When it was last said, if that was later. */
  saidAgainAt?: number | undefined;
  waitingFor?: string | undefined;
}

export interface Judgement {
  state: Exclude<AgentState, "starting" | "gone">;
  evidence: Evidence;
  at: number | undefined;
  waitingFor?: string | undefined;
}

/** What a hook's event says of its agent; undefined if nothing. */
export function stateAfter(event: HookEvent): Sighting["state"] | undefined {
  switch (event) {
    case "UserPromptSubmit":
    case "PostToolUse":
    case "PostToolUseFailure":
      return "busy";
    case "PermissionRequest":
      return "asking";
    case "Stop":
    case "StopFailure":
    case "SessionStart":
      return "idle";
    case "SessionEnd":
      return undefined;
  }
}

/**
 * Hooks do not tell of an Esc or a refused permission; the registry does. So where the two disagree, a registry
 * that spoke later is right, and one that spoke earlier may only be late: then nobody knows.
 */
export function judgeState(hook: Sighting | undefined, registry: Sighting | undefined): Judgement {
  if (hook && registry && hook.state !== registry.state && registry.at < (hook.saidAgainAt ?? hook.at)) {
    return { state: "unknown", evidence: "none", at: undefined };
  }
  if (registry && (!hook || hook.state !== registry.state)) return { ...registry, evidence: "registry" };
  if (hook) return { ...hook, evidence: "hook", waitingFor: hook.waitingFor ?? registry?.waitingFor };
  return { state: "unknown", evidence: "none", at: undefined };
}
