import { expect, it } from "vitest";
import { typeThroughBells } from "../support/typing-rounds.ts";
import { seatPractice } from "../support/practice-seats.ts";
import { seededRandom } from "../torture/seeded-random.ts";

it("letters, pastes, arrows and Enter at any moment of a typed bell: nothing of a person's is sent by us, lost, or left behind ours", async () => {
  await using seats = await seatPractice(["strategist"], "pane");
  const prompts = (): string[] =>
    seats
      .record()
      .flatMap(({ event, prompt }) => (event === "submitted" && prompt !== undefined ? [prompt] : []));
  const below = seededRandom(Number(process.env["OVLD_TEST_SEED"] ?? Date.now() % 1_000_000));
  const random = (): number => below(1_000_000) / 1_000_000;
  const rounds = Number(process.env["OVLD_TEST_ROUNDS"] ?? 8);
  const harms = await typeThroughBells({ seats, role: "strategist", prompts, random }, rounds);
  expect(harms).toEqual([]);
}, 3_600_000);
