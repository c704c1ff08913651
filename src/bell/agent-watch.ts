/** What the relay knows of its own agent at any moment: from hooks as they come, and from the registry when asked. */
import { judgeState, stateAfter, type Judgement, type Sighting } from "../agent/agent-state.ts";
import type { HookEvent } from "../agent/hook-settings.ts";
import type { AgentState } from "../mail/agent-report.ts";

export interface HookCall {
  event: HookEvent;
  /** Why a session started. */
  source: string;
  tool: string;
  prompt: string;
}

export interface AgentView extends Omit<Judgement, "state"> {
  state: AgentState;
  /** Neither hooks nor registry have ever said a word. */
  silent: boolean;
}

export interface AgentWatch {
  hear(call: HookCall): void;
  /** The turn goes on although its end was announced. */
  keepsWorking(): void;
  view(): AgentView;
}

interface Senses {
  registry: () => Sighting | undefined;
  /** Its first prompt is its ritual, and no bell may come before that. */
  awaitsFirstPrompt: boolean;
  now: () => number;
}

/** Claude's model does not have the tools of a server that was listed only just now. */
const SETTLE_MS = 300;
/** A ritual that was not given by then is not coming. */
const FIRST_PROMPT_WITHIN_MS = 150_000;

export function watchAgent({ registry, awaitsFirstPrompt, now }: Senses): AgentWatch {
  const began = now();
  let hook: Sighting | undefined;
  let prompted = !awaitsFirstPrompt;
  const isStarting = (): boolean => {
    const age = now() - began;
    return age < SETTLE_MS || (!prompted && age < FIRST_PROMPT_WITHIN_MS);
  };
  return {
    hear({ event, tool }) {
      if (event === "UserPromptSubmit") prompted = true;
      const state = stateAfter(event);
      if (state) hook = { state, at: now(), ...(state === "asking" && tool !== "" && { waitingFor: tool }) };
    },
    keepsWorking() {
      hook = { state: "busy", at: now() };
    },
    view() {
      const registered = registry();
      if (registered?.state === "busy") prompted = true;
      const judgement = judgeState(hook, registered);
      const silent = hook === undefined && registered === undefined;
      if (isStarting()) return { ...judgement, state: "starting", silent };
      return { ...judgement, silent };
    },
  };
}
