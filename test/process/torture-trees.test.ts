import { expect, it } from "vitest";
import { tortureTrees } from "../torture/trees/torture-trees.ts";

const ROUNDS = 24;

it(`after ${ROUNDS} of those who work, land and tidy up were killed, no finished work is lost and nothing red has landed`, async () => {
  const report = await tortureTrees({ rounds: ROUNDS, seed: Date.now() % 1e9 });
  expect(report, `seed ${report.seed}`).toMatchObject({ breaches: [] });
  expect(report.landed).toBeGreaterThan(0);
  expect(Object.values(report.killed).length).toBeGreaterThan(0);
});
