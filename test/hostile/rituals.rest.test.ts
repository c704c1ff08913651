import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { writeRitualFiles } from "../../src/summon/army-files.ts";
import { openMail } from "../../src/mail/mail.ts";
import { makeFakeArmy, type FakeArmy } from "../support/fake-army.ts";
import { openSocket, startAgent } from "../support/hooked-relay.ts";
import { makeSandbox, type Sandbox } from "../support/sandbox.ts";
import { fillDisk, mountSmallDisk } from "../support/small-disk.ts";
import { soon } from "../support/wait-until.ts";

const TEXT = "I am storm.";

/** A relay whose agent should be given its ritual in a pane. */
async function seatStorm(sandbox: Sandbox) {
  const army = await makeFakeArmy(sandbox);
  const { path } = await openSocket(sandbox);
  const variables = { OVLD_ZELLIJ: army.zellij.program, ZELLIJ_PANE_ID: "5", OVLD_RITUAL_FOCUS: "off" };
  const agent = await startAgent(sandbox, "storm", path, variables, { init: false });
  await agent.hook("SessionStart");
  return { army, agent };
}

/** How often the ritual has been given. */
const given = (army: FakeArmy): number =>
  army.pane("storm").sent.filter(({ prompt }) => prompt.trim() === TEXT).length;

it("on a full disk a ritual is given once, and its relay keeps running and records it when there is room", async (context) => {
  await using sandbox = makeSandbox();
  mountSmallDisk(context, sandbox);
  openMail(sandbox.relayDir).init();
  writeRitualFiles(sandbox.relayDir, new Map([["storm", TEXT]]));
  const { army, agent } = await seatStorm(sandbox);
  const filler = join(sandbox.relayDir, "filler");
  fillDisk(filler);
  await expect.poll(() => given(army), soon).toBe(1);
  await agent.hook("UserPromptSubmit", { prompt: TEXT });
  await agent.hook("Stop");
  const isNoted = (): boolean => {
    const known = openMail(sandbox.relayDir).conversation("storm");
    return typeof known === "object" && known.ritual !== undefined;
  };
  await expect.poll(() => existsSync(join(sandbox.relayDir, "locks/ritual")), soon).toBe(false);
  expect(isNoted()).toBe(false);
  rmSync(filler);
  await expect.poll(isNoted, soon).toBe(true);
  expect(given(army)).toBe(1);
  expect((await agent.call("get_status", { role: "storm" })).json).toMatchObject({ role: "storm" });
});

it("something else in place of the rituals' lock does not end a relay, whose ritual is given when it is gone", async () => {
  await using sandbox = makeSandbox();
  openMail(sandbox.relayDir).init();
  writeRitualFiles(sandbox.relayDir, new Map([["storm", TEXT]]));
  const lock = join(sandbox.relayDir, "locks/ritual");
  mkdirSync(join(lock, "mine"), { recursive: true });
  const { army, agent } = await seatStorm(sandbox);
  expect((await agent.call("get_status", { role: "storm" })).json).toMatchObject({ role: "storm" });
  rmSync(lock, { recursive: true });
  await expect.poll(() => given(army), soon).toBe(1);
});

it("a ritual that a full disk has no room for is reported as such", async (context) => {
  await using sandbox = makeSandbox();
  mountSmallDisk(context, sandbox);
  openMail(sandbox.relayDir).init();
  fillDisk(join(sandbox.relayDir, "fill"));
  expect(() => writeRitualFiles(sandbox.relayDir, new Map([["storm", TEXT]]))).toThrow(/disk-full/);
});
