import { expect, it } from "vitest";
import { expectHeld, expectRead } from "../support/bell-expectations.ts";
import { seatClaudes } from "../support/claude-seats.ts";
import { letter } from "../support/store.ts";
import { soon } from "../support/wait-until.ts";

const DRAFTS = [
  ["a draft", "half a thou"],
  ["the menu of commands", "/"],
  ["the menu of files", "@"],
];

it.each(DRAFTS)(
  "by socket %s in the composer stays untouched, and the turn begins at once",
  async (_, text) => {
    await using seats = await seatClaudes(["strategist"]);
    await seats.pane("strategist").type(text);
    await expect.poll(() => seats.pane("strategist").composer(), soon).toBe(text);
    const { id } = seats.mail.deliver(letter);
    await expectRead(seats, [id]);
    expect(await seats.pane("strategist").composer()).toBe(text);
    expect(seats.journal("rung")).toEqual([expect.objectContaining({ way: "socket" })]);
  },
);

it.each(DRAFTS)(
  "by typing nothing is typed after %s; the agent is rung when the composer is empty",
  async (_, text) => {
    await using seats = await seatClaudes(["strategist"], { wake: "pane" });
    await seats.pane("strategist").type(text);
    await expect.poll(() => seats.pane("strategist").composer(), soon).toBe(text);
    const { id } = seats.mail.deliver(letter);
    await expectHeld(seats, "draft");
    expect(await seats.pane("strategist").composer()).toBe(text);
    await seats.pane("strategist").type("\u007f".repeat(text.length));
    await expectRead(seats, [id]);
    expect(seats.bells()).toHaveLength(1);
  },
);

it("by socket a text in vim's normal mode stays untouched", async () => {
  await using seats = await seatClaudes(["strategist"], { settings: { editorMode: "vim" } });
  await seats.pane("strategist").type("half a thou");
  await seats.pane("strategist").press("escape");
  await expect.poll(() => seats.pane("strategist").screen(), soon).not.toContain("INSERT");
  const { id } = seats.mail.deliver(letter);
  await expectRead(seats, [id]);
  expect(await seats.pane("strategist").composer()).toBe("half a thou");
});

it("by typing a text in vim's normal mode stays untouched, and an empty composer in it is rung in the end", async () => {
  await using seats = await seatClaudes(["strategist"], { wake: "pane", settings: { editorMode: "vim" } });
  await seats.pane("strategist").type("half a thou");
  await seats.pane("strategist").press("escape");
  await expect.poll(() => seats.pane("strategist").screen(), soon).not.toContain("INSERT");
  const { id } = seats.mail.deliver(letter);
  await expectHeld(seats, "draft");
  expect(await seats.pane("strategist").composer()).toBe("half a thou");
  await seats.pane("strategist").type("dd");
  await expectRead(seats, [id]);
  expect(seats.bells().at(-1)?.last).toMatch(
    /\[MESSAGE from overlord\] You have mail about order, note \w+\. Call check_inbox\./,
  );
});

it("a person's own prompt suggestions do not appear in an agent's composer, where they would look like a draft", async () => {
  const env = { CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION: "true" };
  await using seats = await seatClaudes(["strategist"], { wake: "pane", env });
  expect(await seats.pane("strategist").composer()).toBe("");
  const { id } = seats.mail.deliver(letter);
  await expectRead(seats, [id]);
  expect(seats.bells()).toHaveLength(1);
});

it("by typing, invisible spaces in the composer do not keep the agent from its mail", async () => {
  await using seats = await seatClaudes(["strategist"], { wake: "pane" });
  await seats.pane("strategist").type("  ");
  const { id } = seats.mail.deliver(letter);
  await expectRead(seats, [id]);
  expect(seats.bells()).toHaveLength(1);
  // Claude Code writes its record of the conversation a little later.
  await expect.poll(() => seats.prompts("strategist"), soon).toHaveLength(1);
});
