import { afterEach, expect, it, vi } from "vitest";
import type { AgentView } from "../../../src/bell/agent-watch.ts";
import { applyBrake } from "../../../src/bell/brake.ts";
import { runBellLoop } from "../../../src/bell/bell-loop.ts";
import { trackUnfinished } from "../../../src/bell/unfinished.ts";
import * as TEXTS from "../../../src/i18n/en.ts";
import { openPost } from "../../../src/mail/other-machines.ts";
import type { MessageDraft } from "../../../src/mail/store/message.ts";
import { followOrders } from "../../../src/relay/follow-orders.ts";
import { lookAtOrders } from "../../../src/relay/look-at-orders.ts";
import { claudeHooks } from "../../../src/agent/claude/hooks.ts";
import { identifyOurselves } from "../../../src/system/process.ts";
import { hook, MINUTE } from "../../support/bell-loop.ts";
import { makeStore, order } from "../../support/store.ts";

afterEach(() => void vi.useRealTimers());

/** The strategist with an order of the overlord's in hand, and a bell that cannot ring. */
function seat() {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "Date"] });
  const store = makeStore();
  const { mail } = store;
  let passed = 0;
  const now = (): number => passed;
  const view: AgentView = { state: "busy", evidence: "hook", at: 0, lags: false };
  const agent = { hear() {}, keepsWorking() {}, view: () => view };
  const relay = identifyOurselves();
  const place = {
    role: "strategist",
    mail,
    relay,
    agentLink: () => ({ hooks: claudeHooks }),
    summoned: undefined,
  } as const;
  const orders = followOrders({
    place,
    view: lookAtOrders(mail, undefined),
    deliver: (draft) => mail.deliver({ from: "ovld", ...draft }),
    isBudgetReached: () => false,
    textsFor: () => TEXTS,
    complainOf(error) {
      throw error;
    },
  });
  const loop = runBellLoop({
    self: { role: "strategist", relay, agent: undefined, pane: undefined },
    mail,
    agent,
    unfinished: trackUnfinished(
      { role: "strategist", mail, agent: undefined, endsInError: () => false },
      now(),
    ),
    brake: applyBrake({ role: "strategist", mail, most: 8 }),
    isBudgetReached: () => false,
    wasRead() {},
    ringing: {
      ways: [],
      ringsAtTurnEnd: 0,
      word: undefined,
      ring: () => Promise.resolve({ held: "no-pane" }),
    },
    ritualWait: () => undefined,
    isHandingOut: () => false,
    clock: { now, timeOfDay: now },
  });
  const part = orders.follow({ agent, hasUnread: () => loop.hasUnread(), now });
  const hear = (call: ReturnType<typeof hook>) => part.hear?.(call, { input: {}, onDropped() {} });
  const read = (draft: Partial<MessageDraft> = {}): void => {
    void hear(hook("prompted", { isTyped: false }));
    const message = mail.deliver({ ...order, ...draft });
    mail.claim("strategist").settle();
    orders.wasRead([message]);
  };
  read();
  return {
    mail,
    view,
    read,
    write: openPost(mail, undefined),
    /** Its agent is in this state from now on. */
    is(state: AgentView["state"], more: Partial<AgentView> = {}): void {
      Object.assign(view, { state, at: now(), ...more });
      if (state === "failed") void hear(hook("turn-failed"));
    },
    endTurn: () => hear(hook("turn-ended")),
    hearSubagent: () => part.hearSubagent?.(hook("tool-ended")),
    pass(ms: number): void {
      passed += ms;
      vi.advanceTimersByTime(10_000);
    },
    told: () =>
      mail
        .headers("overlord", mail.unread("overlord", { handedOut: false }))
        .filter(({ from }) => from === "ovld")
        .map(({ subject }) => subject),
    async [Symbol.asyncDispose]() {
      part.close?.();
      loop.close();
      await store[Symbol.asyncDispose]();
    },
  };
}

const LIMIT = { error: "rate_limit", until: Date.parse("2026-11-15T12:00:00Z") };

it.each([
  ["asks the person", "asking", {}, 10, "strategist is waiting for an answer in its pane: order"],
  ["has failed", "failed", { failure: { error: "server_error" } }, 1, "strategist cannot go on: order"],
  ["is out of its usage limit", "failed", { failure: LIMIT }, 1, "strategist cannot go on: order"],
  ["shows no sign of life", "busy", {}, 60, "strategist has shown no sign of life for an hour: order"],
  [
    "cannot be seen",
    "unknown",
    { at: undefined },
    60,
    "strategist has shown no sign of life for an hour: order",
  ],
] as const)("an agent that %s is told of once, also while mail waits for it", async (...row) => {
  const [, state, more, minutes, subject] = row;
  await using army = seat();
  army.mail.deliver({ ...order, subject: "more" });
  army.is(state, more);
  army.pass(minutes * MINUTE - 1);
  expect(army.told()).toEqual([]);
  army.pass(1);
  army.pass(minutes * MINUTE);
  expect(army.told()).toEqual([subject]);
});

it("an agent at its prompt whose mail the brake holds is told of; mail that will wake it comes first", async () => {
  await using army = seat();
  army.is("idle");
  army.mail.deliver({ ...order, from: "inferno", talk: 9 });
  army.pass(10 * MINUTE);
  expect(army.told()).toEqual(["strategist has stopped without a report: order"]);
  await using other = seat();
  other.is("idle");
  other.mail.deliver({ ...order, from: "inferno", talk: 8 });
  other.pass(10 * MINUTE);
  expect(other.told()).toEqual([]);
});

it("what a subagent does is a sign of life, and so is each hook", async () => {
  await using army = seat();
  army.pass(50 * MINUTE);
  army.hearSubagent();
  army.pass(50 * MINUTE);
  army.read({ subject: "more" });
  army.pass(50 * MINUTE);
  expect(army.told()).toEqual([]);
});

/** It says "On it" and ends its turn. */
function acknowledge(army: ReturnType<typeof seat>): void {
  void army.write({ from: "strategist", to: "overlord", subject: "On it", body: "", priority: "normal" });
  army.is("idle");
  expect(army.endTurn()).toBeUndefined();
}

it("an agent that acknowledges an order and goes idle is not reminded, and is told of once after ten minutes", async () => {
  await using army = seat();
  acknowledge(army);
  army.pass(10 * MINUTE - 1);
  // It reads something else in between.
  army.read({ from: "inferno" });
  army.is("idle");
  expect(army.endTurn()).toBeUndefined();
  army.pass(10 * MINUTE - 1);
  expect(army.told()).toEqual([]);
  army.pass(1);
  army.pass(60 * MINUTE);
  expect(army.told()).toEqual(["strategist is idle and has not said that it is done: order"]);
});

it.each([
  ["has set its status to done", ({ mail }) => mail.setStatus("strategist", "done", "")],
  [
    "waits for an answer",
    ({ mail }) => mail.setStatus("strategist", "blocked", "", { waitsFor: "overlord" }),
  ],
  ["has others at work", ({ mail }) => void mail.deliver({ ...order, from: "strategist", to: "inferno" })],
  ["has answered one who is done since", ({ mail }) => mail.setStatus("overlord", "done", "")],
  ["has handed its task in", ({ mail }) => mail.closeMail("strategist")],
] satisfies [string, (army: ReturnType<typeof seat>) => unknown][])(
  "nobody is told of an agent that has written about its order and %s",
  async (what, act) => {
    await using army = seat();
    if (what === "has answered one who is done since") acknowledge(army);
    act(army);
    acknowledge(army);
    army.pass(60 * MINUTE);
    army.mail.setStatus("overlord", "working", "the next wish");
    army.pass(60 * MINUTE);
    expect(army.told()).toEqual([]);
  },
);

it("an order with an answer gives way to the next of the same giver, and is never asked for again when others work", async () => {
  await using army = seat();
  acknowledge(army);
  army.mail.deliver({ ...order, from: "strategist", to: "inferno" });
  army.read({ from: "storm" });
  expect(army.endTurn()).toBeUndefined();
  army.mail.claim("inferno").settle();
  army.read({ from: "storm" });
  expect(army.endTurn()).toBeUndefined();
  army.read({ subject: "the next" });
  expect(army.mail.orders("strategist").map(({ subject }) => subject)).toEqual(["the next"]);
});

it("a clock that is set back after an order was read changes nothing", async () => {
  await using army = seat();
  vi.setSystemTime(Date.now() - 60 * MINUTE);
  army.mail.closeMail("strategist");
  army.is("idle");
  expect(army.endTurn()).toBeUndefined();
  // A question that was asked at a time to come, after which others were given work.
  vi.setSystemTime(Date.now() + 60 * MINUTE);
  army.mail.setStatus("inferno", "blocked", "", { waitsFor: "strategist" });
  vi.setSystemTime(Date.now() - 60 * MINUTE);
  army.mail.deliver({ ...order, from: "strategist", to: "storm" });
  expect(army.endTurn()).toBeUndefined();
  army.pass(10 * MINUTE);
  expect(army.told()).toEqual([]);
});
