import { expect, it } from "vitest";
import { tortureHub } from "../../torture/machines/hub-torture.ts";

const ROUNDS = Number(process.env["OVLD_TEST_HUB_ROUNDS"] ?? "300");

it(`after ${ROUNDS} kills and cuts, all mail that was answered is read, in order, and none twice without a mark`, async () => {
  const seed = Number(process.env["OVLD_TEST_SEED"] ?? Date.now() % 1e9);
  const report = await tortureHub({ rounds: ROUNDS, seed });
  console.log(JSON.stringify(report));
  expect(report).toMatchObject({ breaches: [], refused: 0 });
  // How much of it was stored at once depends on how busy the machine is.
  expect(report.stored + report.kept).toBeGreaterThan(ROUNDS / 10);
  expect(report.kept).toBeGreaterThan(0);
  expect(report.redelivered).toBeGreaterThan(0);
}, 3_600_000);

const LEADER_ROUNDS = Number(process.env["OVLD_TEST_HUB_ROUNDS"] ?? "10");

it(`with a cluster of three servers whose leader is killed, ${LEADER_ROUNDS} incidents lose nothing, all is read in order, and nothing twice without a mark`, async () => {
  const seed = Number(process.env["OVLD_TEST_SEED"] ?? Date.now() % 1e9);
  const report = await tortureHub({ rounds: LEADER_ROUNDS, seed, servers: 3 });
  console.log(JSON.stringify(report));
  expect(report).toMatchObject({ breaches: [], refused: 0 });
  expect(report.stored + report.kept).toBeGreaterThan(0);
  expect(report.read).toBeGreaterThan(0);
}, 3_600_000);
