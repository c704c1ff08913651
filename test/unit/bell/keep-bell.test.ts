import { expect, it } from "vitest";
import type { AgentView } from "../../../src/bell/agent-watch.ts";
import type { RingingWay } from "../../../src/bell/decide.ts";
import { keepBell, type BellDesk, type BellKeeper } from "../../../src/bell/keep-bell.ts";
import { identifyProcess } from "../../../src/system/process-identity.ts";
import type { HoldReason } from "../../../src/mail/agent-report.ts";
import { letter, makeStore, type StoreFixture } from "../../support/store.ts";

const soon = { timeout: 5_000, interval: 10 };
const MINUTE = 60_000;

interface KeptBell {
  store: StoreFixture;
  bell: BellKeeper;
  rings: RingingWay[];
  /** What the next rings answer. */
  refusals: (HoldReason | undefined)[];
  view: AgentView;
  /** Lets time pass. */
  wait(milliseconds: number): void;
  /** Waits until everything has been looked at anew. */
  looked(): Promise<void>;
  report(): string | undefined;
  [Symbol.asyncDispose](): Promise<void>;
}

/** A bell whose agent is idle and hears nothing. */
function keepOne(ways: RingingWay[] = ["socket", "typing"]): KeptBell {
  const store = makeStore();
  let passed = 0;
  const now = (): number => Date.now() + passed;
  const view: AgentView = { state: "idle", evidence: "hook", at: 0, silent: false };
  let looks = 0;
  const rings: RingingWay[] = [];
  const refusals: (HoldReason | undefined)[] = [];
  const desk: BellDesk = {
    role: "strategist",
    mail: store.mail,
    identity: { relay: identifyProcess(process.pid) ?? "", agent: undefined, pane: 1 },
    agent: {
      hear() {},
      keepsWorking() {},
      view() {
        looks += 1;
        return { ...view };
      },
    },
    ways,
    ringsAtTurnEnd: true,
    async ring(way) {
      rings.push(way);
      return refusals.shift();
    },
    ritualWait: () => undefined,
    looksIdle: async () => false,
    isHandingOut: () => false,
    now,
  };
  const bell = keepBell(desk);
  return {
    store,
    bell,
    rings,
    refusals,
    view,
    wait: (milliseconds) => void (passed += milliseconds),
    async looked() {
      const before = looks;
      // The first may have been under way already.
      await expect.poll(() => looks, soon).toBeGreaterThan(before + 2);
    },
    report: () => store.mail.agentReport("strategist")?.bell.bell,
    async [Symbol.asyncDispose]() {
      bell.close();
      await store[Symbol.asyncDispose]();
    },
  };
}

it("a bell nobody answers is rung by the next way each time, and ever more rarely", async () => {
  await using kept = keepOne();
  kept.store.send();
  await expect.poll(() => kept.rings, soon).toEqual(["socket"]);
  kept.wait(4_000);
  await expect.poll(() => kept.rings, soon).toEqual(["socket", "typing"]);
  kept.wait(4_000);
  kept.store.send();
  await expect.poll(() => kept.report(), soon).toBe("rung");
  expect(kept.rings).toHaveLength(2);
  kept.wait(8_000);
  await expect.poll(() => kept.rings, soon).toEqual(["socket", "typing", "socket"]);
});

it("after ten minutes without an answer it is told so, once, and still tried now and then", async () => {
  await using kept = keepOne();
  kept.store.send();
  for (let minute = 0; minute < 60; minute += 4) {
    kept.wait(4 * MINUTE);
    const count = kept.rings.length;
    await kept.looked();
    expect(kept.rings.length - count).toBeLessThanOrEqual(1);
  }
  expect(kept.report()).toBe("unanswered");
  expect(kept.store.journal().filter(({ event }) => event === "unanswered")).toHaveLength(1);
  expect(kept.rings.length).toBeGreaterThan(6);
  expect(kept.rings.length).toBeLessThan(16);
});

it("what kept the bell from being rung is looked at again, more slowly each time, and no flag stands meanwhile", async () => {
  await using kept = keepOne(["typing"]);
  kept.refusals.push("draft", "draft");
  kept.store.send();
  await expect.poll(() => kept.report(), soon).toBe("held");
  expect(kept.store.mail.flag("strategist")).toBeUndefined();
  kept.wait(1_100);
  await expect.poll(() => kept.rings, soon).toHaveLength(2);
  kept.wait(2_100);
  await expect.poll(() => kept.rings, soon).toHaveLength(3);
  await expect.poll(() => kept.report(), soon).toBe("rung");
});

it("mail that has been read is not rung for any more", async () => {
  await using kept = keepOne();
  kept.store.send();
  await expect.poll(() => kept.rings, soon).toHaveLength(1);
  kept.bell.wasAsked();
  kept.store.mail.claim("strategist").settle();
  await expect.poll(() => kept.report(), soon).toBe("quiet");
  kept.wait(MINUTE);
  kept.bell.hear({ event: "Stop", source: "", tool: "", prompt: "" });
  await expect.poll(() => kept.report(), soon).toBe("quiet");
  expect(kept.rings).toHaveLength(1);
});

it("while the agent asks a person something nothing is rung, however long", async () => {
  await using kept = keepOne();
  kept.view.state = "asking";
  kept.store.send({ priority: "urgent" });
  await expect
    .poll(() => kept.store.mail.agentReport("strategist")?.bell, soon)
    .toMatchObject({ why: "asking" });
  kept.wait(60 * MINUTE);
  kept.bell.hear({ event: "PostToolUse", source: "", tool: "", prompt: "" });
  kept.store.send(letter);
  await expect
    .poll(() => kept.store.mail.agentReport("strategist")?.heard, soon)
    .toBe(kept.store.mail.unread("strategist", { handedOut: true }).at(-1));
  expect(kept.rings).toEqual([]);
});

it("a line about held mail names only what no such line has named before", async () => {
  await using kept = keepOne();
  kept.view.state = "asking";
  const heldIds = (): unknown[] =>
    kept.store
      .journal()
      .filter(({ event }) => event === "held")
      .map(({ ids }) => ids);
  const [first, second] = [kept.store.send(), kept.store.send()];
  await expect.poll(() => heldIds().flat(), soon).toEqual([first, second]);
  const third = kept.store.send();
  await expect.poll(() => heldIds().at(-1), soon).toEqual([third]);
});
it.each(["listed", "claimed", "parsed"] as const)(
  "a reply that arrives when its reader has just %s the inbox is told of at the end of the turn",
  async (when) => {
    await using kept = keepOne();
    kept.view.state = "busy";
    const first = kept.store.send();
    let late: string | undefined;
    const reader = kept.store.open({
      onStep(step) {
        if (step === when) late ??= kept.store.send();
      },
    });
    const { messages, settle } = reader.claim("strategist");
    kept.bell.wasAsked();
    expect(messages.map(({ id }) => id)).toEqual([first]);
    const answer = kept.bell.hear({ event: "Stop", source: "", tool: "", prompt: "" });
    expect(answer).toMatch(/^\[MESSAGE from overlord\] You have mail/);
    settle();
    expect(reader.claim("strategist").messages.map(({ id }) => id)).toEqual([late]);
  },
);
