/**
 * What the relay knows about its own agent: hooks report events as they happen, and the registry is read on request.
 */
import { judgeState, stateAfter, type Judgement, type Sighting } from "../agent/agent-state.ts";
import type { HookCall } from "../agent/hook-call.ts";
import type { AgentState } from "../army/words.ts";

export interface AgentView extends Omit<Judgement, "state"> {
  state: AgentState;
  /** Neither a hook nor the registry has reported anything so far. */
  silent: boolean;
}

export interface AgentWatch {
  hear(call: HookCall): void;
  /** The agent's state, whether or not it has received its ritual. */
  judge(): Judgement;
  /** When the agent last began a turn; 0 if it never did. */
  promptedAt(): number;
  /** The turn continues although a hook announced its end. */
  keepsWorking(): void;
  view(): AgentView;
}

interface Senses {
  registry: () => Sighting | undefined;
  /** While true, the agent must not be rung: its ritual comes first. */
  awaitsRitual: () => boolean;
  now: () => number;
}

/** After a relay has listed its tools, the model needs a moment before it can use them. */
const TOOLS_LISTED_SETTLE_MS = 300;

/** Longer than an agent program's registry ever lagged behind its hooks. */
export const LONGEST_LAG_MS = 1_000;

export function watchAgent({ registry, awaitsRitual, now }: Senses): AgentWatch {
  const began = now();
  let hook: Sighting | undefined;
  let promptedAt = 0;
  /** Since when hooks and registry have disagreed. */
  let differSince: number | undefined;
  const isStarting = (): boolean => now() - began < TOOLS_LISTED_SETTLE_MS || awaitsRitual();
  function judge(registered: Sighting | undefined): Judgement {
    const judgement = judgeState(hook, registered);
    differSince = judgement.state === "unknown" ? (differSince ?? now()) : undefined;
    const mayLag = differSince === undefined || now() - differSince < LONGEST_LAG_MS;
    return mayLag ? judgement : judgeState(hook, registered, mayLag);
  }
  return {
    judge: () => judge(registry()),
    promptedAt() {
      const registered = registry();
      return Math.max(promptedAt, registered?.state === "busy" ? registered.at : 0);
    },
    hear({ event, tool, failure, lost }) {
      // A conversation may be compacted at rest, after a failed turn or in the middle of one, and none of that ends.
      if (lost === "compacted") return;
      if (event === "prompted") promptedAt = now();
      const state = stateAfter(event);
      // A prompt starts a new turn; any other event with the same state only confirms it.
      const isNew = state !== hook?.state || event === "prompted";
      const since = isNew ? { at: now() } : { at: hook?.at ?? now(), saidAgainAt: now() };
      hook = { state, ...since, ...(state === "asking" && tool !== "" && { waitingFor: tool }), failure };
    },
    keepsWorking() {
      hook = { state: "busy", at: now() };
    },
    view() {
      const registered = registry();
      const judgement = judge(registered);
      const silent = hook === undefined && registered === undefined;
      if (isStarting()) return { ...judgement, state: "starting", silent };
      return { ...judgement, silent };
    },
  };
}

/** A clock for durations: it starts at the time of day and only moves forward, even if the system clock is changed. */
export interface SteadyClock {
  now: () => number;
  /** Converts a time that was written down by the system clock to this clock; never later than now. */
  at: (moment: number) => number;
}

export function startSteadyClock(wall = Date.now, elapsed = (): number => performance.now()): SteadyClock {
  const began = wall() - elapsed();
  const now = (): number => began + elapsed();
  let last: { moment: number; at: number } | undefined;
  return {
    now,
    at(moment) {
      // The same time always maps to the same result, even if the system clock was changed in between.
      if (last?.moment !== moment) last = { moment, at: now() - Math.max(0, wall() - moment) };
      return last.at;
    },
  };
}
