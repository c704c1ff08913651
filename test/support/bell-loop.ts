/** The keeper of a bell over a real store, whose agent is what the test says and hears nothing. */
import { identifyOurselves, isProcessAlive } from "../../src/system/process-identity.ts";
import { expect } from "vitest";
import type { HookEvent, HookCall } from "../../src/agent/hook-call.ts";
import type { AgentView } from "../../src/bell/agent-watch.ts";
import type { BellLoopOptions } from "../../src/bell/bell-loop-options.ts";
import type { RingingWay } from "../../src/bell/decide.ts";
import { runBellLoop, type BellLoop } from "../../src/bell/bell-loop.ts";
import type { HoldReason } from "../../src/army/words.ts";
import { makeStore, type StoreFixture } from "./store.ts";

export const soon = { timeout: 20_000, interval: 10 };
export const MINUTE = 60_000;

interface KeptBell {
  store: StoreFixture;
  bell: BellLoop;
  rings: RingingWay[];
  /** The words of each. */
  texts: string[];
  /** What the next rings answer. */
  refusals: (HoldReason | undefined)[];
  view: AgentView;
  /** What happens in the moment of a ring. */
  whileRinging?: (text: string) => void;
  /** Lets time pass. */
  wait(milliseconds: number): void;
  /** Lets time pass in which the machine sleeps: only the time of day goes on. */
  sleep(milliseconds: number): void;
  /** Waits until everything has been looked at anew. */
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

/** A bell whose agent is idle and hears nothing; `more` of its options, over what it would have. */
export function keepOne(
  ways: RingingWay[] = ["socket", "typing"],
  more: Partial<BellLoopOptions> = {},
): KeptBell {
  const store = makeStore();
  let passed = 0;
  let slept = 0;
  const now = (): number => Date.now() + passed;
  const view: AgentView = { state: "idle", evidence: "hook", at: 0, silent: false };
  let looks = 0;
  const rings: RingingWay[] = [];
  const texts: string[] = [];
  const refusals: (HoldReason | undefined)[] = [];
  const options: BellLoopOptions = {
    role: "strategist",
    mail: store.mail,
    identity: { relay: identifyOurselves(), agent: undefined, pane: 1 },
    isRelay: isProcessAlive,
    agent: {
      hear() {},
      keepsWorking() {},
      view() {
        looks += 1;
        return { ...view };
      },
    },
    ways,
    ringsAtTurnEnd: 8,
    word: undefined,
    async ring(way, { text }) {
      rings.push(way);
      texts.push(text);
      kept.whileRinging?.(text);
      return refusals.shift();
    },
    ritualWait: () => undefined,
    looksIdle: async () => false,
    isHandingOut: () => false,
    now,
    timeOfDay: () => now() + slept,
    ...more,
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
      // The first may have been under way already.
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

/** By which a turn that this ring has begun is known again. */
export function markIn(text = ""): string {
  return /note (\w+)\./.exec(text)?.[1] ?? "";
}
