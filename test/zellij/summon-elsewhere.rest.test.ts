import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROLES } from "../../src/army/roles.ts";
import { openMail } from "../../src/mail/mail.ts";
import { OVLD } from "../support/ovld.ts";
import { letter } from "../support/store.ts";
import { openTerminal, type Terminal } from "../support/terminal.ts";
import { soon, waitUntil } from "../support/wait-until.ts";
import { makeZellijWorld, type ZellijWorld } from "../support/zellij.ts";

function elsewhere(world: ZellijWorld): string {
  const folder = join(world.sandbox.root, "elsewhere");
  mkdirSync(folder, { recursive: true });
  return folder;
}

function onTerminalIn(world: ZellijWorld, folder: string, ...args: string[]): Terminal {
  return openTerminal(world.sandbox, world.env, folder, [process.execPath, OVLD, ...args]);
}

const attached = (world: ZellijWorld): boolean => world.calls().includes("attach overlord");

it("an army starts, and its agents have their conversations and relays, although there is no node on the PATH", async () => {
  await using world = makeZellijWorld();
  world.env["PATH"] = join(world.sandbox.root, "bin");
  expect(await world.ovld("summon", "--detached", "--no-rituals")).toMatchObject({ code: 0, stderr: "" });
  for (const { argv } of (await world.recordings()).values()) expect(argv[6]).toBe("--session-id");
  const mail = openMail(world.relayDir());
  await waitUntil(
    "six relays report",
    () => ROLES.every((role) => mail.agentReport(role) !== undefined),
    soon,
  );
  expect((await world.ovld("restart", "storm")).code).toBe(0);
  expect((await world.ovld("unsummon", "--yes")).code).toBe(0);
});

it("two armies in one folder come back each with its own mail", async () => {
  await using world = makeZellijWorld();
  const names = ["red", "blue"];
  for (const name of names) {
    await world.ovld("summon", "--detached", "--no-rituals", "--session", name);
    await world.ovld("send", "storm", `for ${name}`, "--session", name);
  }
  for (const name of names) await world.ovld("unsummon", "--yes", "--session", name);
  for (const name of names) {
    const { code } = await world.ovld("summon", "--detached", "--no-rituals", "--resume", "--session", name);
    expect([name, code]).toEqual([name, 0]);
  }
  for (const name of names) {
    const mail = openMail(world.relayDir(name));
    const bodies = mail.unread("storm", { handedOut: true }).map((id) => mail.peek("storm", id)?.body);
    expect(bodies).toEqual([`for ${name}`]);
  }
});

it("an army's folder and agent are recorded, and shown by summon, status and armies", async () => {
  await using world = makeZellijWorld();
  const { stdout } = await world.ovld("summon", "--detached", "--no-rituals");
  expect(stdout).toContain(`The army overlord is running in ${world.project}.`);
  expect(JSON.parse(readFileSync(join(world.relayDir(), "army.json"), "utf8"))).toEqual({
    format: 1,
    session: "overlord",
    folder: world.project,
    agent: "claude",
    roles: [...ROLES],
    summoned: expect.stringMatching(/^\d{4}-.+Z$/),
  });
  expect((await world.ovld("status")).stdout).toContain(`It runs Claude Code in ${world.project}.`);
  const json = JSON.parse((await world.ovld("status", "--json")).stdout);
  expect(json).toMatchObject({ folder: world.project, agent: "claude" });
  const flags = ["--detached", "--no-rituals", "--session", "second", "--agent", "practice", "--json"];
  const second = await world.ovldIn(elsewhere(world), "summon", ...flags);
  expect(JSON.parse(second.stdout)).toMatchObject({
    folder: elsewhere(world),
    agent: "practice",
    returned: null,
  });
  const all = (await world.ovld("armies")).stdout;
  expect(all).toMatch(new RegExp(`overlord +running .+ ${world.project}\n`));
  expect(all).toMatch(new RegExp(`second +running .+ ${elsewhere(world)}\n`));
});

it("a summon from another folder asks before it joins the army, and does not join after a no", async () => {
  await using world = makeZellijWorld();
  await world.ovld("summon", "--detached", "--no-rituals");
  const no = onTerminalIn(world, elsewhere(world), "summon");
  await expect.poll(no.output).toContain("Attach to it? [y/N]");
  expect(no.output()).toContain(`works in ${world.project}, not in this folder`);
  no.pty.write("n\r");
  expect(await no.exited).toBe(0);
  expect(no.output()).toContain("Open another army in this folder with: ovld summon --army NAME");
  expect(attached(world)).toBe(false);
  const yes = onTerminalIn(world, elsewhere(world), "summon");
  await expect.poll(yes.output).toContain("Attach to it? [y/N]");
  yes.pty.write("y\r");
  await expect.poll(() => attached(world)).toBe(true);
});

it("a person who names the army, or is in its folder, is not asked", async () => {
  await using world = makeZellijWorld();
  await world.ovld("summon", "--detached", "--no-rituals");
  for (const terminal of [
    onTerminalIn(world, elsewhere(world), "summon", "--session", "overlord"),
    onTerminalIn(world, world.project, "summon"),
  ]) {
    await expect.poll(terminal.output).toContain("battlefield");
    expect(terminal.output()).not.toContain("Attach to it?");
  }
});

it("without a terminal a summon from another folder is an error that names the folder and --session", async () => {
  await using world = makeZellijWorld();
  await world.ovld("summon", "--detached", "--no-rituals");
  expect(await world.ovldIn(elsewhere(world), "summon", "--detached")).toMatchObject({
    code: 5,
    stderr: expect.stringMatching(
      new RegExp(`works in ${world.project}, not in this folder\\. Open another army here with --army NAME`),
    ),
  });
});

it.each([
  ["--agent practice", ["--agent", "practice"]],
  ["--rituals", ["--rituals", "."]],
  ["--no-rituals", ["--no-rituals"]],
])("%s for a running army is an error that says what to do, exit 5", async (flag, flags) => {
  await using world = makeZellijWorld();
  for (const role of ["overlord", "strategist", "inferno", "glacier", "shadow", "storm"]) {
    writeFileSync(join(world.project, `${role}.md`), `You are ${role}.`);
  }
  await world.ovld("summon", "--detached", "--no-rituals");
  const terminal = world.ovldOnTerminal("summon", ...flags);
  expect(await terminal.exited).toBe(5);
  expect(terminal.output()).toContain(`${flag} applies only when an army starts`);
  expect(terminal.output()).toContain("ovld unsummon --army overlord");
  expect(attached(world)).toBe(false);
});

it("a failed summon leaves the army's record as it was before", async () => {
  await using world = makeZellijWorld();
  const mail = openMail(world.relayDir());
  mail.deliver(letter);
  const record = { folder: "/far/away", agent: "practice", summoned: new Date(0).toISOString() } as const;
  mail.recordArmy(record);
  world.beforeZellij('[ "$1" = attach ] && exit 1');
  expect((await world.ovld("summon", "--detached", "--no-rituals", "--resume")).code).toBe(1);
  expect(mail.army()).toEqual(record);
  expect(mail.countUnread("strategist")).toBe(1);
});
