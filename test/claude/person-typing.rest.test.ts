import { expect, it } from "vitest";
import { typeThroughBells } from "../support/typing-rounds.ts";
import { claudeScreen as agentScreen } from "../../src/agent/claude/claude-screen.ts";
import { type PromptPane, submitPrompt, takeBackUnconfirmed } from "../../src/agent/submit-prompt.ts";
import { isSuspended } from "../../src/system/process.ts";
import { letter } from "../support/store.ts";
import { soon, waitUntil } from "../support/wait-until.ts";
import { seatClaudes } from "../support/claude-seats.ts";

const BELL = "[MESSAGE from overlord] You have mail, note bcdfg. Call check_inbox.";

it("letters, pastes, arrows, Enter, Esc and Ctrl-C at any moment of a bell typed into a real Claude Code: nothing of a person's is sent by us, lost, or left behind ours", async () => {
  await using seats = await seatClaudes(["strategist"], { wake: "pane" });
  const prompts = (): string[] => seats.prompts("strategist");
  const { harms, together, mostTogether } = await typeThroughBells({ seats, role: "strategist", prompts }, 3);
  expect(harms).toEqual([]);
  expect(together).toBeLessThanOrEqual(mostTogether);
}, 3_600_000);

it.each([
  ["a line", "x"],
  ["two lines, one of which ends in blanks", "hello  \n日本語で"],
])("a bell that stands below %s of the person's in a real Claude Code is removed", async (_, kept) => {
  await using seats = await seatClaudes(["strategist"], { wake: "pane" });
  const pane = seats.pane("strategist");
  await pane.type(`\u001b[200~${kept}\n\u001b[201~`);
  await pane.type(`[MESSAGE from overlord] You have mail about order, note bcdfg. Call check_inbox.`);
  await waitUntil("it stands there", async () => (await pane.composer())?.endsWith("check_inbox.") ?? false);
  seats.mail.deliver({ ...letter, to: "strategist" });
  await waitUntil("it is removed", async () => (await pane.composer()) === kept.replace("  \n", "\n"));
  expect(seats.prompts("strategist")).toEqual([]);
});

it.each([
  ["a letter", "x", "x"],
  ["words", "hello there", "hello there"],
  ["a paste", "\u001b[200~hello\u001b[201~", "hello"],
])(
  "%s typed while a real Claude Code takes a bell long after its Enter is neither sent nor damaged, and nothing of ours stays",
  async (_, typed, shown) => {
    await using seats = await seatClaudes(["strategist"], { wake: "pane" });
    const seat = seats.pane("strategist");
    const agent = seats.report("strategist")?.agent ?? "0";
    const pid = Number.parseInt(agent, 10);
    let writes = 0;
    const pane: PromptPane = {
      async write(keys) {
        writes += 1;
        if (writes === 2) {
          process.kill(pid, "SIGSTOP");
          await waitUntil("it is stopped", () => isSuspended(agent));
        }
        await seat.type(keys);
        if (writes === 2) await seat.type(typed);
      },
      screen: async () => (await seat.screen()).split("\n"),
      cursorRow: undefined,
      agentScreen,
      whyNot: () => undefined,
      isTaken: () => seats.prompts("strategist").length > 0,
      memory: {},
    };
    const patience = { settleMs: 0, standsWithinMs: 5_000, takenWithinMs: 300 };
    for (let attempt = 1; attempt <= 2; attempt += 1) {
      expect(await submitPrompt(pane, BELL, patience)).toHaveProperty("held");
    }
    await seat.type("y");
    process.kill(pid, "SIGCONT");
    const outcome = async () => {
      await takeBackUnconfirmed(pane);
      return [seats.prompts("strategist"), await seat.composer(), pane.memory.unconfirmed];
    };
    await expect.poll(outcome, soon).toEqual([[BELL], `${shown}y`, undefined]);
  },
);

it.each([
  ["a paste", "\u001b[200~hello\u001b[201~", "", "hello"],
  ["letters", "hello", "", "hello"],
  ["a word around it", "p", "lease build", "please build"],
])(
  "%s that a real Claude Code reads together with a bell is neither sent nor lost",
  async (_, before, after, shown) => {
    await using seats = await seatClaudes(["strategist"], { wake: "pane" });
    let writes = 0;
    const pane: PromptPane = {
      write: (keys) => seats.pane("strategist").type((writes += 1) === 1 ? before + keys + after : keys),
      screen: async () => (await seats.pane("strategist").screen()).split("\n"),
      cursorRow: undefined,
      agentScreen,
      whyNot: () => undefined,
      isTaken: () => seats.prompts("strategist").length > 0,
      memory: {},
    };
    const patience = { settleMs: 0, standsWithinMs: 5_000, takenWithinMs: 5_000 };
    expect(await submitPrompt(pane, BELL, patience)).toEqual({ held: "draft" });
    expect(await seats.pane("strategist").composer()).toBe(shown);
    expect(seats.prompts("strategist")).toEqual([]);
  },
);
