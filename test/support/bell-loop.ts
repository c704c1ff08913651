/** A bell loop over a real store, with an agent that is in the state the test sets and hears nothing. */
import { identifyOurselves } from "../../src/system/process.ts";
import { expect } from "vitest";
import type { HookEvent, HookCall } from "../../src/agent/hook-call.ts";
import type { AgentView } from "../../src/bell/agent-watch.ts";
import { applyBrake } from "../../src/bell/brake.ts";
import { type BellLoopOptions, runBellLoop, type BellLoop, type Ringing } from "../../src/bell/bell-loop.ts";
import type { RingingWay } from "../../src/bell/decide.ts";
import { trackUnfinished } from "../../src/bell/unfinished.ts";
import type { HoldReason } from "../../src/army/words.ts";
import { makeStore, type StoreFixture } from "./store.ts";
import { soon } from "./wait-until.ts";

export const MINUTE = 60_000;

interface KeptBell {
  store: StoreFixture;
  bell: BellLoop;
  rings: RingingWay[];
  /** The text of each ring. */
  texts: string[];
  /** The results of the next rings. */
  refusals: (HoldReason | undefined)[];
  view: AgentView;
  /** Called during a ring. */
  whileRinging?: (text: string) => void;
  /** Advances the clock. */
  wait(milliseconds: number): void;
  /** Advances the clock as if the machine had slept: only the time of day moves. */
  sleep(milliseconds: number): void;
  /** Waits until everything has been looked at again. */
  looked(): Promise<void>;
  report(): string | undefined;
  [Symbol.asyncDispose](): Promise<void>;
}

export const hook = (event: HookEvent, more: Partial<HookCall> = {}): HookCall => ({
  event,
  prompt: "",
  tool: "",
  asksForMail: false,
  ...more,
});

/** A bell whose agent is idle and hears nothing; `more` overrides its options. */
export function keepOne(
  ways: RingingWay[] = ["socket", "typing"],
  more: Partial<BellLoopOptions & Ringing> = {},
): KeptBell {
  const store = makeStore();
  let passed = 0;
  let slept = 0;
  const now = (): number => Date.now() + passed;
  const view: AgentView = { state: "idle", evidence: "hook", at: 0, lags: false };
  let looks = 0;
  const rings: RingingWay[] = [];
  const texts: string[] = [];
  const refusals: (HoldReason | undefined)[] = [];
  const ringing: Ringing = {
    ways,
    ringsAtTurnEnd: 8,
    word: undefined,
    async ring(way, { text }) {
      rings.push(way);
      texts.push(text);
      kept.whileRinging?.(text);
      const held = refusals.shift();
      return held === undefined ? { rung: true } : { held };
    },
  };
  const options: BellLoopOptions = {
    self: { role: "strategist", relay: identifyOurselves(), agent: undefined, pane: 1 },
    mail: store.mail,
    agent: {
      hear() {},
      keepsWorking() {},
      view() {
        looks += 1;
        return { ...view };
      },
    },
    unfinished: trackUnfinished(
      { role: "strategist", mail: store.mail, agent: undefined, endsInError: () => false },
      now(),
    ),
    brake: applyBrake({ role: "strategist", mail: store.mail, most: 8 }),
    isBudgetReached: () => false,
    wasRead() {},
    ritualWait: () => undefined,
    isHandingOut: () => false,
    clock: { now, timeOfDay: () => now() + slept },
    ...more,
    ringing: { ...ringing, ...more },
  };
  const kept: KeptBell = {
    store,
    bell: runBellLoop(options),
    rings,
    texts,
    refusals,
    view,
    wait: (milliseconds) => void (passed += milliseconds),
    sleep: (milliseconds) => void (slept += milliseconds),
    async looked() {
      const before = looks;
      // The first look may already have been in progress.
      await expect.poll(() => looks, soon).toBeGreaterThan(before + 2);
    },
    report: () => store.mail.agentReport("strategist")?.bell.state,
    async [Symbol.asyncDispose]() {
      kept.bell.close();
      await store[Symbol.asyncDispose]();
    },
  };
  return kept;
}

/** The mark that identifies a turn started by this ring. */
export function markIn(text = ""): string {
  return /note (\w+)\./.exec(text)?.[1] ?? "";
}
