import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Role } from "../../src/army/roles.ts";
import type { ArmyView, RoleView } from "../../src/view/describe-army.ts";
import { soon } from "../support/wait-until.ts";
import { makeZellijWorld, type ZellijWorld } from "../support/zellij.ts";

const patient = { ...soon, interval: 250 };

/** A practice army at its prompts, which works quickly, by a person's configuration. */
async function summon(world: ZellijWorld, config: string): Promise<void> {
  const script = join(world.sandbox.root, "script.json");
  writeFileSync(script, JSON.stringify({ workMs: 60 }));
  Object.assign(world.env, { OVLD_PRACTICE_SCRIPT: script });
  const folder = join(world.sandbox.home, ".config/ovld");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "config.toml"), config);
  const summoned = await world.ovld("summon", "--agent", "practice", "--no-rituals", "--detached");
  expect(summoned).toMatchObject({ code: 0, stderr: "" });
}

const see = async (world: ZellijWorld): Promise<ArmyView> =>
  JSON.parse((await world.ovld("status", "--json")).stdout);

const seeRole = async (world: ZellijWorld, role: Role): Promise<RoleView | undefined> =>
  (await see(world)).roles.find((each) => each.role === role);

it("what agents pass on without doing anything else is held by the brake, and those whom the person lets go on do their work", async () => {
  await using world = makeZellijWorld();
  await summon(world, "[brake]\nmessages = 1\n");
  await world.ovld("send", "overlord", "A castle");
  await expect
    .poll(async () => (await seeRole(world, "inferno"))?.braked, patient)
    .toMatchObject({ from: ["strategist"], messages: 1 });
  expect((await world.ovld("status")).stdout).toContain("ovld answer inferno allow|deny");
  expect((await world.ovld("answer", "inferno", "allow")).code).toBe(0);
  await expect.poll(async () => (await seeRole(world, "inferno"))?.status, patient).toBe("done");
  // The others wait for a word of their own.
  expect((await seeRole(world, "storm"))?.braked).not.toBeNull();
});

it("an army whose budget is used up wakes nobody and tells the person, until they raise it", async () => {
  await using world = makeZellijWorld();
  await summon(world, "[budget]\narmy = 1\n");
  await world.ovld("send", "overlord", "A castle");
  await expect.poll(async () => (await see(world)).budget?.army.level, patient).toBe("reached");
  await expect
    .poll(async () => (await world.ovld("inbox")).stdout, patient)
    .toContain("The army's budget is used up");
  await world.ovld("send", "storm", "Are you there?");
  await expect
    .poll(async () => (await seeRole(world, "storm"))?.bell, patient)
    .toMatchObject({ state: "held", why: "budget" });
  expect((await world.ovld("status")).stdout).toContain("the army's budget is used up");
  expect((await world.ovld("budget", "raise", "100M")).code).toBe(0);
  await expect.poll(async () => (await seeRole(world, "storm"))?.unread, patient).toBe(0);
});
