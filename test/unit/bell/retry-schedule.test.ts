import { expect, it } from "vitest";
import { tryAgainAfter, UNANSWERED_AFTER_MS, waitAfter } from "../../../src/bell/schedule.ts";

const minutes = (count: number): number => count * 60_000;

it("a bell without an answer is rung again after 3, 10, 30 s, 1, 2, 5 minutes, then every ten, without end", () => {
  expect([1, 2, 3, 4, 5, 6, 7, 8, 1_000].map(waitAfter)).toEqual([
    3_000,
    10_000,
    30_000,
    minutes(1),
    minutes(2),
    minutes(5),
    minutes(10),
    minutes(10),
    minutes(10),
  ]);
  expect(UNANSWERED_AFTER_MS).toBe(minutes(10));
});

it("a refused bell is retried after as long as it has waited so far, at most 15 s", () => {
  const waits = [1, 2, 3, 4, 5, 6, 7, 8, 11, 1_000].map(tryAgainAfter);
  expect(waits).toEqual([150, 300, 600, 1_200, 2_400, 4_800, 9_600, 15_000, 15_000, 15_000]);
});
