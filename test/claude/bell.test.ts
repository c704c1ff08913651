import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { expectHeld, expectRead, expectState } from "../support/bell-expectations.ts";
import { seatClaudes, WAYS } from "../support/claude-seats.ts";
import { letter } from "../support/store.ts";
import { soon } from "../support/wait-until.ts";

describe.each(Object.entries(WAYS))("a real Claude Code rung %s", (name, options) => {
  const way = name === "by typing" ? "typing" : "socket";

  it("DG2 begins a turn when it is idle and reads its mail once", async () => {
    await using seats = await seatClaudes(["strategist"], options);
    const { id } = seats.mail.deliver(letter);
    await expectRead(seats, [id]);
    expect(seats.journal("rung")).toEqual([expect.objectContaining({ way, attempt: 1, ids: [id] })]);
    expect(seats.journal("begun")).toEqual([expect.objectContaining({ way, ids: [id] })]);
    expect(seats.bells()).toHaveLength(1);
  });

  it("is not rung over a permission dialog; the command runs only if the person says yes", async () => {
    await using seats = await seatClaudes(["strategist"], options);
    await seats.pane("strategist").say("please run it");
    await expectState(seats, "asking");
    const { id } = seats.mail.deliver({ ...letter, priority: "urgent" });
    await expectHeld(seats, "asking");
    await expect.poll(() => seats.pane("strategist").screen(), soon).toContain("Do you want to proceed?");
    expect(existsSync(seats.ran)).toBe(false);
    await seats.pane("strategist").answer("enter");
    await expectRead(seats, [id]);
    expect(existsSync(seats.ran)).toBe(true);
    expect(seats.bells()).toHaveLength(1);
  });
});
