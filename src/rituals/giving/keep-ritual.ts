/**
 * Has a role's own relay give the agent its ritual, however long the agent takes to get ready.
 *
 * The relay lives as long as its agent, so nothing else has to stay: not the `summon` that opened the session, nor
 * any time limit. A new process in the role's pane has a new relay and gets its ritual in the same way.
 */
import type { AgentWatch } from "../../bell/agent-watch.ts";
import type { RitualWait } from "../../army/words.ts";
import { type ProcessIdentity, isSuspended } from "../../system/process.ts";
import { pause } from "../../system/async.ts";
import { giveRitual, type RitualSeat } from "./give-ritual.ts";

interface OwnRitual extends Omit<RitualSeat, "state" | "promptedAt" | "isSuspended" | "memory" | "stop"> {
  agent: AgentWatch;
  identity: ProcessIdentity;
  /** Called when what the ritual waits for changes. */
  onWait: (waits: RitualWait) => void;
}

const FIRST_TRY_AFTER_MS = 300;
const SLOWER_BY = 1.3;
const SLOWEST_TRY_MS = 3_000;
const LOOK_FOR_NEW_AGENT_EVERY_MS = 1_000;

export function keepRitual(own: OwnRitual): { close(): void } {
  const closing = new AbortController();
  const { signal: stop } = closing;
  const seat: RitualSeat = {
    ...own,
    memory: {},
    stop,
    state: () => own.agent.judge().state,
    isSuspended: () => isSuspended(own.identity),
    promptedAt: () => own.agent.promptedAt(),
  };
  void keepTrying();
  return { close: () => closing.abort() };

  /** Continues after the ritual was given: a person may want it given again. */
  async function keepTrying(): Promise<void> {
    let told: RitualWait | undefined;
    let wait = FIRST_TRY_AFTER_MS;
    while (!stop.aborted) {
      await pause(wait, stop);
      const waits = own.due() === undefined ? undefined : await whatItWaitsFor();
      if (stop.aborted) return;
      if (waits !== undefined && waits !== told) own.onWait(waits);
      told = waits;
      wait = waits === undefined ? LOOK_FOR_NEW_AGENT_EVERY_MS : Math.min(wait * SLOWER_BY, SLOWEST_TRY_MS);
    }
  }

  async function whatItWaitsFor(): Promise<RitualWait | undefined> {
    try {
      const result = await giveRitual(seat);
      return "waits" in result ? result.waits : undefined;
    } catch {
      // Zellij may answer next time, or the disk may have room again; if the store is gone, its session is gone as
      // well.
      return "no-answer";
    }
  }
}
