/** Judges an agent's state from what its hooks and its registry report. Pure. */
import type { AgentState, Evidence } from "../army/words.ts";

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
  failure?: Failure | undefined;
  /** When it was last confirmed, if that was later. */
  saidAgainAt?: number | undefined;
  waitingFor?: string | undefined;
  /** It asks for a permission, and not for something that the person has opened. */
  asksPermission?: boolean;
}

export interface Judgement {
  state: Exclude<AgentState, "starting" | "gone">;
  evidence: Evidence;
  at: number | undefined;
  waitingFor?: string | undefined;
  failure?: Failure | undefined;
  /**
   * Its turn is over, and only its subagents are busy or ask for a permission: a bell through its socket starts a turn at
   * once.
   */
  turnIsOver?: boolean;
}

const UNKNOWN: Judgement = { state: "unknown", evidence: "none", at: undefined };

/**
 * Hooks do not report an Esc or a refused permission; the registry does. So if the two disagree, the registry is
 * right if its report is newer. If its report is older, it may just lag behind, and the state is unknown.
 *
 * `mayLag` is false if they have disagreed for longer than the registry ever lags. Then the registry shows what the
 * agent's subagents do, of which its own hooks say nothing. Only that the agent is idle needs a newer report, because an
 * idle agent may be typed to.
 */
export function judgeState(
  hook: Sighting | undefined,
  registry: Sighting | undefined,
  mayLag = true,
): Judgement {
  if (registry === undefined) return hook ? { ...hook, evidence: "hook" } : UNKNOWN;
  if (hook === undefined) return { ...registry, evidence: "registry" };
  const { state } = registry;
  if (hook.state === state) {
    return { ...hook, evidence: "hook", waitingFor: hook.waitingFor ?? registry.waitingFor };
  }
  // The registry shows an agent whose turn has failed as idle; only its next turn changes that.
  if (hook.state === "failed" && state === "idle") return { ...hook, evidence: "hook" };
  const isOlder = registry.at < (hook.saidAgainAt ?? hook.at);
  if (isOlder && (mayLag || state === "idle")) return UNKNOWN;
  // Every turn begins with a prompt, and every question of the agent itself with another hook.
  const isAtRest = hook.state === "idle" || hook.state === "failed";
  const turnIsOver = isAtRest && (state === "busy" || registry.asksPermission === true);
  return { ...registry, evidence: "registry", ...(turnIsOver && { turnIsOver }) };
}
