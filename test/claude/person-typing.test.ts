import { expect, it } from "vitest";
import { typeThroughBells } from "../support/typing-rounds.ts";
import { claudeScreen as agentScreen } from "../../src/agent/claude/claude-screen.ts";
import { takeBackLeft, type Slate } from "../../src/agent/submit-prompt.ts";
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
    await seats.type("strategist", theirs + agentScreen.keys.typeAndEnter(text));
    await expect.poll(() => seats.composer("strategist")).toMatch(/^hello[^]*box\.$/);
    const slate: Slate = { left: { text, screen: undefined, entered: "with-text" } };
    const pane = {
      write: (keys: string) => seats.type("strategist", keys),
      screen: () => seats.screen("strategist"),
      agentScreen,
      whyNot: () => undefined,
      slate,
    };
    await takeBackLeft(pane);
    await expect.poll(() => seats.composer("strategist")).toBe(shown);
    expect(seats.prompts("strategist")).toEqual([]);
  },
);
