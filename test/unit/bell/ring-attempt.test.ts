import { describe, expect, it } from "vitest";
import type { AgentView } from "../../../src/bell/agent-watch.ts";
import type { HookCall, HookEvent } from "../../../src/agent/hook-call.ts";
import {
  answers,
  bellFact,
  isTurnEndQuiet,
  isUnanswered,
  nextRing,
  reportRing,
  showsBegin,
  waysAfter,
  type Ring,
  trackTurn,
} from "../../../src/bell/ring-attempt.ts";
import { hook } from "../../support/bell-loop.ts";
import { writeTrigger } from "../../../src/bell/trigger.ts";

const NOW = Date.UTC(2026, 10, 15);
const first: Ring = {
  trigger: { text: "[MESSAGE] note bcdfg.", mark: "bcdfg", from: "overlord" },
  way: "socket",
  at: NOW,
  firstAt: NOW,
  attempt: 1,
  intoTurn: false,
  begun: false,
  noted: false,
  ids: ["1"],
};
const view = (state: AgentView["state"], at?: number): AgentView => ({
  state,
  evidence: "hook",
  lags: false,
  at,
});

it("a first ring counts as one, and the next ones continue from the time of the first", () => {
  const { firstAt: _, attempt: __, begun: ___, noted: ____, ...ring } = first;
  expect(nextRing(undefined, ring)).toEqual(first);
  expect(nextRing({ ...first, begun: true }, { ...ring, at: NOW + 5, way: "typing" })).toEqual({
    ...first,
    at: NOW + 5,
    way: "typing",
    attempt: 2,
  });
});

describe("whether a bell is down, rung or due", () => {
  it("without a ring it is down", () => {
    expect(bellFact(undefined, view("idle"), first.ids, NOW)).toBe("down");
  });

  it("an idle agent's bell is rung for three seconds, and due after that", () => {
    expect(bellFact(first, view("idle"), first.ids, NOW + 2_999)).toBe("rung");
    expect(bellFact(first, view("idle"), first.ids, NOW + 3_000)).toBe("due");
  });

  it("the second ring waits longer", () => {
    expect(bellFact({ ...first, attempt: 2 }, view("idle"), first.ids, NOW + 9_999)).toBe("rung");
    expect(bellFact({ ...first, attempt: 2 }, view("idle"), first.ids, NOW + 10_000)).toBe("due");
  });

  it("the wait starts again if the agent became idle after the ring, but not if it did before", () => {
    expect(bellFact(first, view("idle", NOW + 1_000), first.ids, NOW + 3_500)).toBe("rung");
    expect(bellFact(first, view("idle", NOW + 1_000), first.ids, NOW + 4_000)).toBe("due");
    expect(bellFact(first, view("idle", NOW - 1_000), first.ids, NOW + 3_000)).toBe("due");
    expect(bellFact(first, view("unknown", NOW + 1_000), first.ids, NOW + 3_000)).toBe("due");
  });

  it("nothing is rung into a turn again, however long it takes", () => {
    expect(bellFact(first, view("busy"), first.ids, NOW + 1e9)).toBe("rung");
  });
});

it("a busy agent shows that a turn began, if it became busy after a ring that was not made into a turn", () => {
  expect(showsBegin(first, view("busy", NOW))).toBe(true);
  expect(showsBegin(first, view("busy", NOW - 1))).toBe(false);
  expect(showsBegin(first, view("busy"))).toBe(false);
  expect(showsBegin(first, view("idle", NOW))).toBe(false);
  expect(showsBegin({ ...first, begun: true }, view("busy", NOW))).toBe(false);
  expect(showsBegin({ ...first, intoTurn: true }, view("busy", NOW))).toBe(false);
});

it.each<[Ring["way"], HookCall["event"], string, boolean]>([
  ["socket", "prompted", "… note bcdfg. …", true],
  ["socket", "prompted", "another prompt", false],
  ["hook", "prompted", "another prompt", false],
  ["hook", "tool-ended", "", true],
  ["hook", "asking", "", true],
  ["hook", "turn-ended", "", true],
  ["socket", "tool-ended", "", false],
  ["typing", "asking", "", false],
])("a ring by %s and then the hook %s with the prompt %o: an answer is %s", (way, event, prompt, is) => {
  expect(answers({ ...first, way }, hook(event, { prompt }))).toBe(is);
});

it("a ring is reported as rung, begun, or after ten minutes unanswered", () => {
  const at = "2026-11-15T00:00:00.000Z";
  const later = { ...first, at: NOW + 1_000, attempt: 2 };
  const busy = view("busy");
  expect(reportRing(undefined, busy, NOW)).toEqual({ state: "quiet" });
  expect(reportRing(first, busy, NOW)).toEqual({ state: "rung", way: "socket", attempt: 1, at });
  expect(reportRing({ ...first, begun: true }, busy, NOW)).toEqual({
    state: "begun",
    way: "socket",
    attempt: 1,
    at,
  });
  expect(reportRing(later, busy, NOW + 599_999)).toEqual({
    state: "rung",
    way: "socket",
    attempt: 2,
    at: "2026-11-15T00:00:01.000Z",
  });
  expect(reportRing(later, busy, NOW + 600_000)).toEqual({ state: "unanswered", attempt: 2, at });
  expect(reportRing({ ...later, begun: true }, busy, NOW + 600_000)).toMatchObject({ state: "begun" });
  expect([isUnanswered(undefined, busy, NOW), isUnanswered(first, busy, NOW + 599_999)]).toEqual([
    false,
    false,
  ]);
  expect(isUnanswered(first, busy, NOW + 600_000)).toBe(true);
});

it.each(["idle", "failed"] as const)(
  "a ring that an agent at its prompt (%s) ignores is unanswered after a minute, even if it has begun a turn",
  (state) => {
    const begun = { ...first, begun: true };
    expect([
      isUnanswered(first, view(state), NOW + 59_999),
      isUnanswered(begun, view(state), NOW + 60_000),
    ]).toEqual([false, true]);
  },
);

it("mail that is newer than an unsuccessful ring waits only as long as after a first ring, and not at all after a turn that ignored it", () => {
  const third = { ...first, attempt: 3 };
  expect(bellFact(third, view("idle"), ["1", "2"], NOW + 2_999)).toBe("rung");
  expect(bellFact(third, view("idle"), ["1", "2"], NOW + 3_000)).toBe("due");
  expect(bellFact({ ...third, begun: true }, view("idle"), ["1", "2"], NOW)).toBe("due");
  expect(bellFact({ ...third, begun: true }, view("idle"), ["1"], NOW)).toBe("rung");
});

it.each<[string, Partial<Ring> | undefined, number, boolean]>([
  ["none", undefined, 0, false],
  ["one that has begun", { begun: true }, 0, false],
  ["one just made, whose turn may begin yet", {}, 2_999, true],
  ["one made long enough ago", {}, 3_000, false],
  ["one made into this turn, however long ago", { intoTurn: true }, 60_000, true],
  ["the second in a row", { begun: true, attempt: 2 }, 0, false],
  ["the third in a row", { begun: true, attempt: 3 }, 0, true],
])("with a ring that is %s, the end of a turn is quiet or not", (_, ring, age, isQuiet) => {
  expect(isTurnEndQuiet(ring && { ...first, ...ring }, NOW + age)).toBe(isQuiet);
});

it("without unread mail there is no new mail, and a bell keeps its own waiting time", () => {
  const third = { ...first, attempt: 3 };
  expect(bellFact(third, view("idle", NOW), [], NOW + 29_000)).toBe("rung");
  expect(bellFact({ ...third, ids: [] }, view("idle", NOW), ["2"], NOW + 29_000)).toBe("due");
});

it.each([
  ["socket", false, ["typing", "socket"]],
  ["socket", true, ["socket", "typing"]],
  ["typing", false, ["socket", "typing"]],
  ["hook", false, ["socket", "typing"]],
] as const)("after a ring by %s, heard: %s, the ways are tried in this order: %s", (way, begun, order) => {
  expect(waysAfter({ ...first, way, begun }, ["socket", "typing"])).toEqual(order);
});

const trigger = writeTrigger([{ from: "overlord" }]);
const rungFor = (ids: string[]): Ring =>
  nextRing(undefined, { trigger, way: "hook", at: 0, intoTurn: true, ids });

const inbox = { unread: () => ["1"], isUrgent: () => true };

function hearAll(
  events: HookEvent[],
  { ids = ["2"], isUrgent = false, ring = undefined as Ring | undefined },
) {
  const turn = trackTurn(8);
  return events.map((event) =>
    turn.hear({ event }, ring, { unread: () => ids, isUrgent: () => isUrgent }, 100_000),
  );
}

it("between tools normal mail rings only after one of our own tools, and once for each such break", () => {
  const events: HookEvent[] = ["prompted", "tools-ended", "tool-begins", "tools-ended", "tools-ended"];
  expect(hearAll(events, {})).toEqual([false, false, false, true, false]);
  expect(hearAll(["tool-begins", "prompted", "tools-ended"], {})).toEqual([false, false, false]);
});

it("urgent mail rings after any tool", () => {
  expect(hearAll(["tools-ended"], { isUrgent: true })).toEqual([true]);
});

it("between tools nothing rings without mail, or for mail that was rung for already", () => {
  expect(hearAll(["tools-ended"], { ids: [], isUrgent: true })).toEqual([false]);
  expect(hearAll(["tools-ended"], { isUrgent: true, ring: rungFor(["1", "2"]) })).toEqual([false]);
  expect(hearAll(["tools-ended"], { isUrgent: true, ring: rungFor(["1"]) })).toEqual([true]);
});

it("mail that was not rung for rings between tools even if its id sorts first, as that of another machine may", () => {
  const options = { ids: ["1", "2"], isUrgent: true, ring: rungFor(["2"]) };
  expect(hearAll(["tools-ended"], options)).toEqual([true]);
});

it("hooks that must not ring never do, and an agent counts as reporting its tools only once it has", () => {
  const silent = trackTurn(0);
  for (const event of ["tool-begins", "tools-ended", "turn-ended"] as const)
    expect(silent.hear({ event }, undefined, inbox, 0)).toBe(false);
  expect(silent.reportTools()).toBe(false);
  const turn = trackTurn(8);
  turn.hear({ event: "tool-ended" }, undefined, inbox, 0);
  expect(turn.reportTools()).toBe(false);
  turn.hear({ event: "tools-ended" }, undefined, inbox, 0);
  expect(turn.reportTools()).toBe(true);
});
