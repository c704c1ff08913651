import { expect, it } from "vitest";
import type { Order } from "../../../src/mail/records/orders.ts";
import {
  bringUpToDate,
  decideAtEnd,
  decideMeanwhile,
  fateAtEnd,
  type AtEnd,
} from "../../../src/relay/decide-about-orders.ts";

const EARLIER = "2026-11-15T08:00:00.000Z";
const AT = "2026-11-15T09:00:00.000Z";
const LATER = "2026-11-15T10:00:00.000Z";

const ORDER: Order = { id: "m1", kind: "mail", from: "strategist", subject: "order", at: AT };
const QUIET: AtEnd = {
  isBlocked: false,
  hasNamed: false,
  othersWorkSince: undefined,
  isTyped: false,
  canRemind: true,
};
const BLOCKED = { isBlocked: true };

/** What has happened to the order, what else is known when the turn ends, and what follows. */
const TABLE: [string, Partial<Order>, Partial<AtEnd>, ReturnType<typeof fateAtEnd>][] = [
  ["nothing was said", {}, {}, "reminded"],
  ["nothing was said, and hooks cannot remind", {}, { canRemind: false }, "stalled"],
  ["nothing was said after a reminder", { reminded: true }, {}, "stalled"],
  ["nothing was said after a reminder, and it was told", { reminded: true, told: ["stalled"] }, {}, "kept"],
  ["nothing was said after it was told that the agent asked", { told: ["asking"] }, {}, "reminded"],
  ["the person typed the prompt", {}, { isTyped: true }, "kept"],
  ["the person typed the prompt after a reminder", { reminded: true }, { isTyped: true }, "kept"],
  ["it was answered", { answered: true }, {}, "answered"],
  ["it was answered after a reminder", { answered: true, reminded: true }, {}, "answered"],
  ["a question was answered", { answered: true, kind: "question" }, {}, "closed"],
  ["the person has an answer", { answered: true, from: "human" }, {}, "closed"],
  [
    "it was answered earlier, and others work",
    { answered: true, rests: true },
    { othersWorkSince: AT },
    "answered",
  ],
  ["it was answered, and others still work on it", { answered: true }, { othersWorkSince: AT }, "waits"],
  ["others work on it", {}, { othersWorkSince: AT }, "waits"],
  ["others work on what it gave before", {}, { othersWorkSince: EARLIER }, "waits"],
  [
    "others work, but were given nothing since a question",
    { kind: "question" },
    { othersWorkSince: EARLIER },
    "reminded",
  ],
  ["others were given work since a question", { kind: "question" }, { othersWorkSince: LATER }, "waits"],
  ["blocked, and for whom", { waits: true }, { ...BLOCKED, hasNamed: true }, "waits"],
  ["blocked, and for nobody", { waits: true }, BLOCKED, "blocked"],
  ["blocked, and for nobody, and it was told", { waits: true, told: ["blocked"] }, BLOCKED, "waits"],
  ["blocked, and whoever gave it knows", { waits: true, answered: true }, BLOCKED, "waits"],
  ["blocked since before the order", {}, BLOCKED, "reminded"],
  ["no longer blocked", { waits: true }, {}, "reminded"],
  ["done, with a report", { done: true, answered: true }, {}, "closed"],
  ["done, without a report", { done: true }, {}, "done"],
  ["done, without a report, and it was told", { done: true, told: ["done"] }, {}, "closed"],
  ["done, and the person sees that", { done: true, from: "human" }, {}, "closed"],
];

it.each(TABLE)("a turn ends, and %s", (_, order, facts, fate) => {
  expect(fateAtEnd({ ...ORDER, ...order }, { ...QUIET, ...facts })).toBe(fate);
});

it("a turn that is continued for a new order tells nothing yet about one of which its agent was reminded before", () => {
  const old: Order = { ...ORDER, id: "m0", reminded: true };
  const first = decideAtEnd([old, ORDER], QUIET);
  expect(first).toEqual({ orders: [old, { ...ORDER, reminded: true }], reminded: [ORDER], told: [] });
  const second = decideAtEnd(first.orders, QUIET);
  expect(second.told.map(({ trouble, order }) => [trouble, order.id])).toEqual([
    ["stalled", "m0"],
    ["stalled", "m1"],
  ]);
  expect(second.reminded).toEqual([]);
});

it("mail that is done is forgotten, and a task or a question stays until it is no longer there", () => {
  const answered: Order[] = (["mail", "task", "question"] as const).map((kind) => ({
    ...ORDER,
    id: kind,
    kind,
    answered: true,
    done: true,
  }));
  const { orders } = decideAtEnd(answered, QUIET);
  expect(orders.map(({ id }) => id)).toEqual(["task", "question"]);
  expect(decideAtEnd(orders, QUIET)).toEqual({ orders, reminded: [], told: [] });
  expect(bringUpToDate(orders, [])).toEqual([]);
});

it("a word in between counts for its turn only: while others work the order stays in hand, and is asked for later", () => {
  const waits = decideAtEnd([{ ...ORDER, answered: true }], { ...QUIET, othersWorkSince: AT });
  expect(waits).toEqual({ orders: [ORDER], reminded: [], told: [] });
  expect(decideAtEnd(waits.orders, QUIET).reminded).toEqual([ORDER]);
});

it("whoever knows that an agent is blocked is not told of it when its next turn ends", () => {
  const first = decideAtEnd([{ ...ORDER, waits: true, answered: true }], { ...QUIET, ...BLOCKED });
  expect(first.told).toEqual([]);
  expect(decideAtEnd(first.orders, { ...QUIET, ...BLOCKED }).told).toEqual([]);
});

it("a task keeps what is known of it, and a new one is added", () => {
  const task: Order = { ...ORDER, id: "T1", kind: "task" };
  const known = { ...task, reminded: true as const };
  expect(bringUpToDate([known], [task, { ...task, id: "T2" }])).toEqual([known, { ...task, id: "T2" }]);
});

const MINUTE = 60_000;
const LASTING = [
  ["idle", 10, "stalled"],
  ["asking", 10, "asking"],
  ["failed", 1, "failed"],
  ["gone", 1, "gone"],
  ["busy", 60, "silent"],
  ["unknown", 60, "silent"],
] as const;

it.each(LASTING)(
  "an agent that is %s for %i minutes with an order in hand is told of once",
  (state, minutes, trouble) => {
    const look = (order: Order, forMs: number, more: Partial<AtEnd> = {}) =>
      decideMeanwhile([order], { ...QUIET, ...more, state, forMs }).map((each) => each.trouble);
    expect(look(ORDER, minutes * MINUTE - 1)).toEqual([]);
    expect(look(ORDER, minutes * MINUTE)).toEqual([trouble]);
    expect(look(ORDER, minutes * MINUTE, { isTyped: true })).toEqual([trouble]);
    expect(look({ ...ORDER, told: [trouble] }, minutes * MINUTE)).toEqual([]);
  },
);

const look = (order: Order, more: Partial<AtEnd>) =>
  decideMeanwhile([order], { ...QUIET, ...more, state: "idle", forMs: 60 * MINUTE });

it("an agent at its prompt is told of only if nobody works for it and it has not said that it waits", () => {
  expect(look(ORDER, { othersWorkSince: AT })).toEqual([]);
  expect(look({ ...ORDER, waits: true }, { ...BLOCKED, hasNamed: true })).toEqual([]);
  expect(look({ ...ORDER, answered: true, rests: true }, { othersWorkSince: AT })).toEqual([]);
  expect(look({ ...ORDER, answered: true, done: true }, {})).toEqual([]);
});
