import { expect, it } from "vitest";
import { makeZellijWorld } from "../support/zellij.ts";

it("a running army is shown as live, each role with its tab and pane, and Zellij is asked once", async () => {
  await using world = makeZellijWorld();
  await world.ovld("summon", "--detached", "--no-rituals");
  await world.recordings();
  const before = world.calls().length;
  const { code, stdout } = await world.ovld("status", "--json");
  expect(code).toBe(0);
  expect(world.calls().slice(before)).toEqual(["--version", "--session overlord action list-panes --json"]);
  const army = JSON.parse(stdout);
  expect(army.state).toBe("live");
  const panes = await world.panes();
  for (const { role, tab, pane, agent } of army.roles) {
    expect(panes).toContainEqual(expect.objectContaining({ title: role, tab_name: tab, id: pane }));
    expect(agent.state).not.toBe("gone");
  }
  expect((await world.ovld("status")).stdout).toContain("The army overlord is running.");
  const welcome = (await world.ovld()).stdout;
  expect(welcome).toContain("Running: overlord.\nNext:\n  ovld status");
});

it("an agent that has ended is shown as gone, with where its pane is", async () => {
  await using world = makeZellijWorld();
  await world.ovld("summon", "--detached", "--no-rituals");
  const storm = (await world.recordings()).get("storm");
  process.kill(storm?.pid ?? 0, "SIGKILL");
  await expect
    .poll(async () => (await world.ovld("status")).stdout)
    .toContain("storm's agent is not running  →  ovld restart storm");
});

it("an army whose server was killed is shown as not running, although its socket was left behind", async () => {
  await using world = makeZellijWorld();
  await world.ovld("summon", "--detached", "--no-rituals");
  await world.recordings();
  await world.ovld("summon", "--detached", "--no-rituals", "--session", "second");
  await world.ovld("summon", "--detached", "--no-rituals", "--session", "third");
  process.kill(world.server(), "SIGKILL");
  await expect
    .poll(async () => (await world.ovld("status")).stdout)
    .toContain("The army overlord is not running.");
  // On a busy machine a session may be too slow to answer for a while.
  await expect
    .poll(async () => (await world.ovld("armies")).stdout)
    .toMatch(/second +running[^]*third +running[^]*overlord +cut off/);
});
