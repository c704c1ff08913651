import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { crashArmy } from "../support/crash-army.ts";
import { OVLD } from "../support/ovld.ts";
import { openMail } from "../../src/mail/mail.ts";
import { openTerminal, type Terminal } from "../support/terminal.ts";
import { soon } from "../support/wait-until.ts";
import { makeZellijWorld, type ZellijWorld } from "../support/zellij.ts";

const LEAVE_ZELLIJ = "\u000fd";

function elsewhere(world: ZellijWorld, ...args: string[]): Terminal {
  const folder = join(world.sandbox.root, "elsewhere");
  mkdirSync(folder, { recursive: true });
  return openTerminal(world.sandbox, world.env, folder, [process.execPath, OVLD, ...args]);
}

/** The panes in which the people are who are attached. */
async function seats(world: ZellijWorld): Promise<string[]> {
  const { stdout } = await world.zellij("--session", "overlord", "action", "list-clients");
  const panes = await world.panes();
  return Array.from(
    stdout.matchAll(/terminal_(\d+)/g),
    ([, id]) => panes.find((pane) => pane.id === Number(id))?.title,
  );
}

it("attach goes back to a running army, and with a role to its pane; it never opens an army", async () => {
  await using world = makeZellijWorld();
  expect(await world.ovld("attach")).toMatchObject({ code: 3, stdout: "" });
  await world.ovld("summon", "--detached", "--no-rituals");
  expect(await world.ovld("attach")).toMatchObject({
    code: 5,
    stderr: expect.stringContaining("Attach to it from a terminal"),
  });
  const plain = world.ovldOnTerminal("attach");
  await expect.poll(() => seats(world), soon).toEqual(["overlord"]);
  plain.pty.write(LEAVE_ZELLIJ);
  expect(await plain.exited).toBe(0);
  const terminal = world.ovldOnTerminal("attach", "shadow");
  await expect.poll(() => seats(world), soon).toEqual(["shadow"]);
  // Nobody else is moved.
  const second = world.ovldOnTerminal("attach", "storm");
  await expect.poll(second.output, soon).toContain("The way to storm: ");
  await expect.poll(async () => (await seats(world)).length, soon).toBe(2);
  expect(await seats(world)).toContain("shadow");
  terminal.pty.write(LEAVE_ZELLIJ);
  expect(await terminal.exited).toBe(0);
});

it("inside the army's session attach goes to the pane of a role", async () => {
  await using world = makeZellijWorld();
  await world.ovld("summon", "--detached", "--no-rituals");
  const terminal = world.ovldOnTerminal("attach");
  await expect.poll(() => seats(world), soon).toEqual(["overlord"]);
  // Zellij moves the client in which a key was pressed.
  terminal.pty.write("x");
  const run = ["--session", "overlord", "run", "--", process.execPath, OVLD, "attach", "glacier"];
  await world.zellij(...run);
  await expect.poll(() => seats(world), soon).toEqual(["glacier"]);
});

it("plain ovld on a terminal opens the watching of the army that works in this folder, until q; elsewhere it says what to do next", async () => {
  await using world = makeZellijWorld();
  await world.ovld("summon", "--detached", "--no-rituals");
  const here = world.ovldOnTerminal();
  await expect.poll(here.output, soon).toContain("q leave");
  here.pty.write("q");
  expect(await here.exited).toBe(0);
  const there = elsewhere(world);
  expect(await there.exited).toBe(0);
  expect(there.output()).toMatch(/Running: overlord\.[^]*ovld attach +go back to it/);
  expect((await world.ovld()).stdout).toContain("Running: overlord.");
});

it("summon --yes asks nothing: it does not attach to an army in another folder, leaves trust to the agents, and archives what was cut off", async () => {
  await using world = makeZellijWorld();
  await world.ovld("summon", "--detached", "--no-rituals");
  const there = elsewhere(world, "summon", "--yes");
  expect(await there.exited).toBe(5);
  expect(there.output()).toMatch(/works in .+, not in this folder\. Open another army here/);
  await world.ovld("send", "storm", "hold the gate");
  await crashArmy(world);
  writeFileSync(join(world.sandbox.home, ".claude.json"), "{}");
  const again = world.ovldOnTerminal("summon", "--yes", "--no-rituals");
  await expect.poll(again.output, soon).toContain("battlefield");
  expect(again.output()).toContain("In the archive");
  expect(again.output()).toContain("Each agent will ask whether to trust");
  expect(again.output()).not.toMatch(/\[y\/N\]|\(b\)/);
  expect(openMail(world.relayDir()).unread("storm", { handedOut: true })).toEqual([]);
  const { armies } = JSON.parse((await world.ovld("armies", "--json")).stdout);
  expect(armies).toMatchObject([
    { name: "overlord", state: "running" },
    { state: "archived", unread: 1 },
  ]);
});
