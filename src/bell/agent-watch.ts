/** What the relay knows of its own agent at any moment: from hooks as they come, and from the registry when asked. */
import { judgeState, stateAfter, type Judgement, type Sighting } from "../agent/agent-state.ts";
import type { HookCall } from "../agent/hook-call.ts";
import type { AgentState } from "../army/words.ts";

export interface AgentView extends Omit<Judgement, "state"> {
  state: AgentState;
  /** Neither hooks nor registry have ever said a word. */
  silent: boolean;
}

export interface AgentWatch {
  hear(call: HookCall): void;
  /** How the agent is, whether or not it has its ritual. */
  judge(): Judgement;
  /** When it last began a turn; 0 if it never did. */
  promptedAt(): number;
  /** The turn goes on although its end was announced. */
  keepsWorking(): void;
  view(): AgentView;
}

interface Senses {
  registry: () => Sighting | undefined;
  /** No bell may come before its ritual. */
  awaitsRitual: () => boolean;
  now: () => number;
}

/** A model does not have the tools of a server that was listed only just now. */
const SETTLE_MS = 300;

export function watchAgent({ registry, awaitsRitual, now }: Senses): AgentWatch {
  const began = now();
  let hook: Sighting | undefined;
  let promptedAt = 0;
  const isStarting = (): boolean => now() - began < SETTLE_MS || awaitsRitual();
  return {
    judge: () => judgeState(hook, registry()),
    promptedAt() {
      const registered = registry();
      return Math.max(promptedAt, registered?.state === "busy" ? registered.at : 0);
    },
    hear({ event, tool, failure }) {
      if (event === "prompted") promptedAt = now();
      const state = stateAfter(event);
      // A prompt begins something new; any other event of the same state only says it again.
      const isNew = state !== hook?.state || event === "prompted";
      const since = isNew ? { at: now() } : { at: hook?.at ?? now(), saidAgainAt: now() };
      hook = { state, ...since, ...(state === "asking" && tool !== "" && { waitingFor: tool }), failure };
    },
    keepsWorking() {
      hook = { state: "busy", at: now() };
    },
    view() {
      const registered = registry();
      const judgement = judgeState(hook, registered);
      const silent = hook === undefined && registered === undefined;
      if (isStarting()) return { ...judgement, state: "starting", silent };
      return { ...judgement, silent };
    },
  };
}
