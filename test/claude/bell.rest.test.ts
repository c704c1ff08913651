import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { expectHeld, expectRead, expectState } from "../support/bell-expectations.ts";
import { seatClaudes, WAYS } from "../support/claude-seats.ts";
import { letter } from "../support/store.ts";
import { soon } from "../support/wait-until.ts";

describe.each(Object.entries(WAYS))("a real Claude Code rung %s", (name, options) => {
  const way = name === "by typing" ? "typing" : "socket";

  it("is left alone while it works, and is rung for normal mail at the end of its turn", async () => {
    await using seats = await seatClaudes(["strategist"], options);
    await seats.pane("strategist").say("please work 8");
    await expectState(seats, "busy");
    const { id } = seats.mail.deliver(letter);
    await expectHeld(seats, "busy");
    await expectRead(seats, [id]);
    expect(seats.journal("rung")).toEqual([
      expect.objectContaining({ way: way === "socket" ? "hook" : "typing" }),
    ]);
    expect(seats.bells()).toHaveLength(1);
  });

  it("is rung after the person pressed Esc on a permission dialog, and the command did not run", async () => {
    await using seats = await seatClaudes(["strategist"], options);
    await seats.pane("strategist").say("please run it");
    await expectState(seats, "asking");
    const { id } = seats.mail.deliver(letter);
    await expectHeld(seats, "asking");
    await seats.pane("strategist").answer("escape");
    await expectRead(seats, [id]);
    expect(existsSync(seats.ran)).toBe(false);
    expect(seats.bells()).toHaveLength(1);
  });

  it("is rung after the person said no to a permission dialog, and the command did not run", async () => {
    await using seats = await seatClaudes(["strategist"], options);
    await seats.pane("strategist").say("please run it");
    await expectState(seats, "asking");
    const { id } = seats.mail.deliver(letter);
    await expectHeld(seats, "asking");
    await seats.pane("strategist").answer("no");
    await expectRead(seats, [id]);
    expect(existsSync(seats.ran)).toBe(false);
  });

  it("is rung after the person answered its question, which no bell answered for them", async () => {
    await using seats = await seatClaudes(["strategist"], options);
    await seats.pane("strategist").say("please ask me");
    await expectState(seats, "asking");
    const { id } = seats.mail.deliver(letter);
    await expectHeld(seats, "asking");
    await expect.poll(() => seats.pane("strategist").screen(), soon).toContain("Which hill?");
    await seats.pane("strategist").answer("enter");
    await expectRead(seats, [id]);
  });
});
