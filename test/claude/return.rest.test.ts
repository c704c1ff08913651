import { expect, it, onTestFailed } from "vitest";
import { runClaudeRounds } from "../../bench/return/claude-rounds.ts";

it("after a power cut six real Claude Codes resume their conversations: no mail is lost or doubled unmarked, no ritual is given twice, everyone who was cut off is told once", async () => {
  const seed = Number(process.env["OVLD_TEST_SEED"] ?? Date.now() % 1_000_000);
  const told = [`OVLD_TEST_SEED=${seed}`];
  onTestFailed(() => console.error(told.join("\n")));
  const tally = await runClaudeRounds(2, seed, (words) => told.push(words));
  expect(tally).toMatchObject({
    rounds: 2,
    lost: [],
    doubled: [],
    ritualTwice: [],
    elsewhere: [],
    toldWrongly: [],
    told: tally.cutOff,
  });
});
