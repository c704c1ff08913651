import { expect, it } from "vitest";
import { typeThroughBells } from "../support/typing-rounds.ts";
import { seatPractice } from "../support/practice-seats.ts";

it("letters, pastes, arrows, Enter, Esc and Ctrl-C at any moment of a typed bell: nothing of a person's is sent by us, lost, or left behind ours", async () => {
  await using seats = await seatPractice(["strategist"], "pane");
  const prompts = (): string[] =>
    seats
      .record()
      .flatMap(({ event, prompt }) => (event === "submitted" && prompt !== undefined ? [prompt] : []));
  const { harms, together, mostTogether } = await typeThroughBells({ seats, role: "strategist", prompts }, 8);
  expect(harms).toEqual([]);
  expect(together).toBeLessThanOrEqual(mostTogether);
}, 3_600_000);
