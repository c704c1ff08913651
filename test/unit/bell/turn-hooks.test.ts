import { expect, it } from "vitest";
import type { HookEvent } from "../../../src/agent/hook-call.ts";
import { nextRing, type Ring, trackTurn } from "../../../src/bell/ring-attempt.ts";
import { writeTrigger } from "../../../src/bell/trigger.ts";

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
