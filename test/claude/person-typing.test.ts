import { expect, it } from "vitest";
import { typeThroughBells } from "../support/typing-rounds.ts";
import { seatClaudes } from "../support/claude-seats.ts";

it("letters, pastes, arrows, Enter, Esc and Ctrl-C at any moment of a bell typed into a real Claude Code: nothing of a person's is sent by us, lost, or left behind ours", async () => {
  await using seats = await seatClaudes(["strategist"], { wake: "pane" });
  const prompts = (): string[] => seats.prompts("strategist");
  const { harms, together, mostTogether } = await typeThroughBells({ seats, role: "strategist", prompts }, 3);
  expect(harms).toEqual([]);
  expect(together).toBeLessThanOrEqual(mostTogether);
}, 3_600_000);
