import { expect, it } from "vitest";
import { perRole, type Role } from "../../../src/army/roles.ts";
import {
  goOnOnce,
  isReached,
  judgeBudget,
  keepCounted,
  newsOf,
  reachedFor,
  stopHere,
  type BudgetFacts,
} from "../../../src/bell/judge-budget.ts";
import type { Spending } from "../../../src/mail/records/budget.ts";
import { costOf } from "../../../src/person/budget.ts";

const NOW = Date.parse("2026-11-15T12:00:00.000Z");
const ago = (seconds: number): string => new Date(NOW - seconds * 1_000).toISOString();

/** What a role has used: a third each of what is read, cached and written. */
function used(tokens: number, uncounted?: Spending["uncounted"]): Spending {
  const third = tokens / 3;
  const byModel = { "claude-opus-5-5": { input: third, cached: third, output: third } };
  return { conversations: { one: byModel }, ...(uncounted && { uncounted }) };
}

function facts(
  more: Partial<Omit<BudgetFacts, "spent">> & { spent?: Partial<Record<Role, Spending>> },
): BudgetFacts {
  const { spent, ...others } = more;
  return {
    limits: { army: 1_000 },
    decision: { raised: {}, accepted: {}, stopped: {} },
    now: NOW,
    ...others,
    spent: { ...perRole(() => used(0)), ...spent },
  };
}

it.each([
  ["nothing used", {}, "fine"],
  ["just below 80 %", { spent: { inferno: used(798) } }, "fine"],
  ["80 % by several roles", { spent: { inferno: used(399), storm: used(402) } }, "near"],
  ["all of it", { spent: { inferno: used(999), storm: used(3) } }, "reached"],
  [
    "all of it, and it was raised",
    { spent: { inferno: used(1_002) }, decision: { raised: { army: 1_000 }, accepted: {}, stopped: {} } },
    "fine",
  ],
  ["no budget", { limits: {}, spent: { inferno: used(1e9) } }, "fine"],
  ["uncounted for 59 s", { spent: { inferno: used(3, { since: ago(59), why: "missing" }) } }, "fine"],
  ["uncounted for a minute", { spent: { inferno: used(3, { since: ago(60), why: "missing" }) } }, "reached"],
  [
    "uncounted, by a clock that was set back",
    { spent: { inferno: used(3, { since: ago(-60), why: "cut" }) } },
    "reached",
  ],
  [
    "uncounted, and accepted",
    {
      spent: { inferno: used(3, { since: ago(90), why: "cut" }) },
      decision: { raised: {}, accepted: { inferno: ago(90) }, stopped: {} },
    },
    "fine",
  ],
  [
    "uncounted anew since it was accepted",
    {
      spent: { inferno: used(3, { since: ago(70), why: "cut" }) },
      decision: { raised: {}, accepted: { inferno: ago(90) }, stopped: {} },
    },
    "reached",
  ],
] as const)("the army's budget: %s", (_what, more, level) => {
  expect(judgeBudget(facts(more)).army.level).toBe(level);
});

it("a role's budget holds that role alone, and the army's holds everybody", () => {
  const one = judgeBudget(facts({ limits: { inferno: 300 }, spent: { inferno: used(300) } }));
  expect([isReached(one, "inferno"), isReached(one, "storm")]).toEqual([true, false]);
  expect([reachedFor(one, "inferno"), reachedFor(one, "overlord")]).toEqual(["inferno", undefined]);
  const all = judgeBudget(facts({ spent: { inferno: used(1_200) } }));
  expect([isReached(all, "inferno"), isReached(all, "storm")]).toEqual([true, true]);
  expect([reachedFor(all, "inferno"), reachedFor(all, "overlord")]).toEqual([undefined, "army"]);
});

it("to go on once gives another tenth from what is used, and accepts what cannot be counted so far", () => {
  const before = facts({
    limits: { army: 1_000, inferno: 600 },
    spent: { inferno: used(1_500), storm: used(0, { since: ago(100), why: "missing" }) },
  });
  const decision = goOnOnce(before);
  expect(decision).toEqual({
    raised: { army: 600, inferno: 960 },
    accepted: { storm: ago(100) },
    stopped: {},
  });
  expect(judgeBudget({ ...before, decision })).toMatchObject({
    army: { level: "near", limit: 1_600 },
    inferno: { level: "near", limit: 1_560 },
  });
  // Used again, it is asked again.
  const later = { ...before, decision, spent: { ...before.spent, inferno: used(1_650) } };
  expect(judgeBudget(later).army.level).toBe("reached");
});

const news = (more: Parameters<typeof facts>[0]) => newsOf("army", judgeBudget(facts(more)));

it("that something cannot be counted, and each limit that is reached, is news of its own", () => {
  const lost = (seconds: number) => used(3, { since: ago(seconds), why: "missing" });
  expect([
    news({}),
    news({ spent: { inferno: used(900) } }),
    news({ spent: { inferno: lost(100) } }),
    news({ spent: { inferno: lost(100), storm: lost(90) } }),
    news({ spent: { inferno: lost(70) } }),
    news({ spent: { inferno: used(1_200) } }),
    news({ spent: { inferno: used(1_200), storm: lost(70) } }),
    news({ decision: { raised: {}, accepted: {}, stopped: { army: 1_000 } } }),
  ]).toEqual([
    undefined,
    "army-near-1000",
    `army-uncounted-${ago(100)}`,
    `army-uncounted-${ago(100)}`,
    `army-uncounted-${ago(70)}`,
    "army-reached-1000",
    "army-reached-1000",
    undefined,
  ]);
});

it("what was stopped because something could not be counted stays so when it can be again", () => {
  const before = facts({ spent: { inferno: used(3, { since: ago(100), why: "missing" }) } });
  const stopped = { ...facts({}), decision: stopHere(before) };
  expect(judgeBudget(stopped).army).toMatchObject({ level: "reached", isStopped: true });
  expect(judgeBudget({ ...stopped, decision: goOnOnce(stopped) }).army.level).toBe("fine");
});

it("what was stopped is not asked about again until the budget is another one", () => {
  const before = facts({ spent: { inferno: used(1_500) } });
  const stopped = { ...before, decision: stopHere(before) };
  expect(judgeBudget(stopped).army).toMatchObject({ level: "reached", isStopped: true });
  expect(reachedFor(judgeBudget(stopped), "overlord")).toBeUndefined();
  const raised = { ...stopped, decision: { ...stopped.decision, raised: { army: 100 } } };
  expect(reachedFor(judgeBudget(raised), "overlord")).toBe("army");
});

const byModel = (tokens: number) => ({ "claude-opus-5-5": { input: tokens, cached: 0, output: 0 } });

it("what was counted stays counted when a transcript is shorter than before, or gone, and the role is in another one", () => {
  const before = { one: byModel(100), two: byModel(50) };
  expect(
    keepCounted(before, [
      { id: "two", byModel: byModel(40) },
      { id: "three", byModel: byModel(1) },
    ]),
  ).toEqual({
    conversations: { ...before, three: byModel(1) },
    shrunk: ["two"],
  });
  expect(keepCounted(before, [{ id: "two", byModel: byModel(60) }])).toMatchObject({
    conversations: { one: byModel(100), two: byModel(60) },
    shrunk: [],
  });
});

it("money is what the person's prices make of each kind of token, and unknown for a model without one", () => {
  const million = { input: 1e6, cached: 1e6, output: 1e6 };
  const spent = (model: string): Spending[] => [{ conversations: { one: { [model]: million } } }];
  const prices = {
    "claude-opus": { input: 1, cached: 1, output: 1 },
    "claude-opus-5": { input: 5, cached: 0.5, output: 25 },
  };
  expect(costOf(spent("claude-opus-5-20261101"), prices)).toBe(30.5);
  expect(costOf(spent("other"), prices)).toBeNull();
  expect(costOf([], prices)).toBe(0);
});
