import { expect, it } from "vitest";
import { torture } from "../torture/torture.ts";

const ROUNDS = 100;

it(`after ${ROUNDS} senders and readers were killed, nothing is lost, duplicated without a mark, or damaged`, async () => {
  const report = await torture({ rounds: ROUNDS, seed: Date.now() % 1e9 });
  expect(report, `seed ${report.seed}`).toMatchObject({ breaches: [] });
  expect(report.read).toBeGreaterThanOrEqual(report.stored);
  // The rounds did what they should: at a named step the process always dies, and otherwise often.
  expect(report.deaths["sender dies at a step"]).toBe(ROUNDS / 4);
  expect(report.deaths["reader dies at a step"]).toBe(ROUNDS / 4);
  expect(report.deaths["sending relay is killed"]).toBe(ROUNDS / 4);
  expect(report.deaths["reading relay is killed"]).toBe(ROUNDS / 4);
  expect(report.redelivered).toBeGreaterThan(0);
});
