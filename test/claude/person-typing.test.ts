import { expect, it } from "vitest";
import { typeThroughBells } from "../support/typing-rounds.ts";
import { enterIfAloneKeys, LEFT_BY_ENTER, promptUnits, typeKeys } from "../../src/agent/prompt-keys.ts";
import { takeBackLeft } from "../../src/agent/submit-prompt.ts";
import { seatClaudes } from "../support/claude-seats.ts";

it("letters, pastes, arrows, Enter, Esc and Ctrl-C at any moment of a bell typed into a real Claude Code: nothing of a person's is sent by us, lost, or left behind ours", async () => {
  await using seats = await seatClaudes(["strategist"], { wake: "pane" });
  const prompts = (): string[] => seats.prompts("strategist");
  const { harms, together, mostTogether } = await typeThroughBells({ seats, role: "strategist", prompts }, 3);
  expect(harms).toEqual([]);
  expect(together).toBeLessThanOrEqual(mostTogether);
}, 3_600_000);

it.each([
  ["a paste", "\u001b[200~hello\u001b[201~", "hello"],
  ["letters", "hello", "hello"],
])(
  "%s that a real Claude Code reads together with a bell is neither sent nor lost",
  async (_, theirs, shown) => {
    await using seats = await seatClaudes(["strategist"], { wake: "pane" });
    const text = "[MESSAGE from overlord] You have mail, note bcdfg. Call check_inbox.";
    await seats.type("strategist", theirs + typeKeys(text) + enterIfAloneKeys(promptUnits(text), 1));
    await expect.poll(() => seats.composer("strategist")).toMatch(/^hello[^]*box\.$/);
    const pane = {
      write: (keys: string) => seats.type("strategist", keys),
      screen: () => seats.screen("strategist"),
      whyNot: () => undefined,
      slate: { left: { text, screen: undefined, behind: LEFT_BY_ENTER, isOpen: true } },
    };
    await takeBackLeft(pane);
    await expect.poll(() => seats.composer("strategist")).toBe(shown);
    expect(seats.prompts("strategist")).toEqual([]);
  },
);
