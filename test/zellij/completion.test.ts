import { expect, it } from "vitest";
import { openMail } from "../../src/mail/mail.ts";
import { makeZellijWorld } from "../support/zellij.ts";

it("a shell offers the running armies without a call of Zellij, and for unsummon also what a dead one left", async () => {
  await using world = makeZellijWorld();
  await world.ovld("summon", "--detached", "--no-rituals");
  openMail(world.relayDir("dead")).init();
  const calls = world.calls().length;
  expect((await world.ovld("complete", "status", "--session", "")).stdout).toBe("overlord\n");
  expect((await world.ovld("complete", "unsummon", "--session", "")).stdout).toBe("overlord\ndead\n");
  expect(world.calls()).toHaveLength(calls);
  await world.ovld("unsummon");
  expect((await world.ovld("complete", "status", "--session", "")).stdout).not.toContain("overlord");
});
