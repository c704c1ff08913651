import { expect, it } from "vitest";
import { lookAgainAfter, UNANSWERED_AFTER_MS, waitAfter } from "../../../src/bell/retry-schedule.ts";

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

it("a refused bell is retried after half a second, then after twice as long, at most 15 s", () => {
  expect([0, 1, 2, 3, 4, 5, 6, 10, 11, 1_000].map(lookAgainAfter)).toEqual([
    500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000, 15_000, 15_000,
  ]);
});
