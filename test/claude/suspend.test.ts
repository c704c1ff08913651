import { expect, it } from "vitest";
import { soon } from "../support/bell-expectations.ts";
import { seatClaudes } from "../support/claude-seats.ts";

it("a Claude Code that Ctrl-Z has suspended is told by status, and set going again by continue", async () => {
  await using seats = await seatClaudes(["strategist"]);
  const { world } = seats;
  await seats.type("strategist", "\u001a");
  await expect
    .poll(async () => (await world.ovld("status", "--session", "seats")).stdout, soon)
    .toContain("strategist is suspended (Ctrl-Z)  →  ovld continue strategist --session seats");
  const { stdout } = await world.ovld("continue", "--session", "seats");
  expect(stdout).toBe("Running again: strategist.\n");
  await expect.poll(() => seats.composer("strategist"), soon).toBe("");
  await seats.say("strategist", "please work 1");
  const heard = (): boolean => seats.model.requests.some(({ last }) => last.includes("please work 1"));
  await expect.poll(heard, soon).toBe(true);
});
