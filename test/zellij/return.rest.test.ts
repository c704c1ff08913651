import { cpSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { ROLES, type Role } from "../../src/army/roles.ts";
import type { Conversation } from "../../src/mail/records/conversation.ts";
import { openMail } from "../../src/mail/mail.ts";
import { OVLD } from "../support/ovld.ts";
import { cutPower } from "../support/power-cut.ts";
import { readLines } from "../support/read-lines.ts";
import { runCommand, type CommandRun } from "../support/run-command.ts";
import { startStandIn } from "../support/stand-in.ts";
import { soon } from "../support/wait-until.ts";
import { makeZellijWorld, type ZellijWorld } from "../support/zellij.ts";

function conversation(world: ZellijWorld, role: Role): Conversation {
  const found = openMail(world.relayDir()).conversation(role);
  if (typeof found !== "object") throw new Error(`${role} has no conversation`);
  return found;
}

const agentOf = (world: ZellijWorld, role: Role): number =>
  Number.parseInt(openMail(world.relayDir()).agentReport(role)?.agent ?? "", 10);

const journal = (world: ZellijWorld): any[] => readLines(join(world.relayDir(), "journal.jsonl"));

/** How often each role was given its ritual. */
function rituals(world: ZellijWorld): Record<string, number> {
  const given = journal(world).filter(({ outcome }) => outcome === "given");
  return Object.fromEntries(ROLES.map((role) => [role, given.filter((each) => each.role === role).length]));
}

async function pressEnter(world: ZellijWorld, role: Role): Promise<void> {
  const isHeld = async (): Promise<boolean> =>
    (await world.panes()).some(({ title, exited }) => title === role && exited);
  await expect.poll(isHeld, soon).toBe(true);
  await world.pane(role).press("enter");
}

it("an agent that was killed returns to its own conversation after Enter in its pane, without its ritual", async () => {
  await using world = makeZellijWorld();
  expect((await world.ovld("summon", "--detached", "--agent", "practice")).code).toBe(0);
  const before = conversation(world, "storm");
  expect(before).toMatchObject({ start: "began", program: "practice" });
  const pid = agentOf(world, "storm");
  process.kill(pid, "SIGKILL");
  await pressEnter(world, "storm");
  const isBack = (): boolean =>
    agentOf(world, "storm") !== pid && openMail(world.relayDir()).agentReport("storm")?.state === "idle";
  await expect.poll(isBack, soon).toBe(true);
  const after = conversation(world, "storm");
  expect(after).toMatchObject({
    id: before.id,
    since: before.since,
    start: "resumed",
    ritual: before.ritual,
  });
  expect(Number.parseInt(after.agent ?? "", 10)).toBe(agentOf(world, "storm"));
  expect(rituals(world)).toEqual(Object.fromEntries(ROLES.map((role) => [role, 1])));
});

it("an army goes on after its ovld was moved: restart from the new place brings agents back with a relay", async () => {
  await using world = makeZellijWorld();
  const [old, moved] = [join(world.sandbox.root, "old"), join(world.sandbox.root, "moved")];
  for (const name of ["bin", "dist"])
    cpSync(join(dirname(OVLD), "..", name), join(old, name), { recursive: true });
  const { env, project: cwd } = world;
  const run = (root: string, ...args: string[]): Promise<CommandRun> =>
    runCommand(world.sandbox, [process.execPath, join(root, "bin/ovld.cjs"), ...args], { env, cwd });
  expect((await run(old, "summon", "--detached", "--no-rituals")).code).toBe(0);
  await world.recordings();
  renameSync(old, moved);
  const { code, stdout } = await run(moved, "restart", "storm", "--json");
  expect([code, JSON.parse(stdout).restarted]).toEqual([0, [{ role: "storm", outcome: "began" }]]);
  const relay = Number.parseInt(openMail(world.relayDir()).agentReport("storm")?.relay ?? "", 10);
  expect(readFileSync(`/proc/${relay}/cmdline`, "utf8")).toContain(join(moved, "bin/ovld.cjs"));
});

it("ovld restart brings agents back in their panes and conversations, also one whose relay has died", async () => {
  await using world = makeZellijWorld();
  await world.ovld("summon", "--detached", "--agent", "practice");
  const mail = openMail(world.relayDir());
  const before = { shadow: conversation(world, "shadow"), storm: conversation(world, "storm") };
  process.kill(Number.parseInt(mail.agentReport("storm")?.relay ?? "", 10), "SIGKILL");
  await expect
    .poll(async () => (await world.ovld("status")).stdout, soon)
    .toMatch(/storm's relay has ended.* → {2}ovld restart storm/);
  const { code, stdout, stderr } = await world.ovld("restart", "storm", "shadow", "--json");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(JSON.parse(stdout)).toEqual({
    session: "overlord",
    restarted: [
      { role: "storm", outcome: "resumed" },
      { role: "shadow", outcome: "resumed" },
    ],
  });
  for (const role of ["storm", "shadow"] as const) {
    const after = conversation(world, role);
    expect(after).toMatchObject({ id: before[role].id, start: "resumed" });
    expect(after.agent).not.toBe(before[role].agent);
    expect(mail.agentReport(role)).toMatchObject({ agent: after.agent });
  }
  expect(rituals(world)).toEqual(Object.fromEntries(ROLES.map((role) => [role, 1])));
  // Mail wakes it again by itself.
  await world.ovld("send", "storm", "hello");
  await expect.poll(() => mail.countUnread("storm"), soon).toBe(0);
});

it("a restart waits while another command restarts the role, and then neither ends the new agent nor presses Enter in its pane", async () => {
  await using world = makeZellijWorld();
  await world.ovld("summon", "--detached", "--agent", "practice", "--no-rituals");
  const mail = openMail(world.relayDir());
  await world.ovld("send", "storm", "hello");
  await expect.poll(() => mail.countUnread("storm"), soon).toBe(0);
  const first = agentOf(world, "storm");
  const calls = world.calls().length;
  const restart = await mail.whileHolding("restart-storm", AbortSignal.timeout(60_000), async () => {
    const waiting = world.ovld("restart", "storm");
    // Its next step is to wait for its turn.
    await expect.poll(() => world.calls().slice(calls), soon).toContain("--version");
    process.kill(first, "SIGKILL");
    await pressEnter(world, "storm");
    await expect.poll(() => agentOf(world, "storm"), soon).not.toBe(first);
    return { waiting, agent: agentOf(world, "storm") };
  });
  const done = { code: 0, stdout: "storm is running again in its conversation.\n", stderr: "" };
  expect(await restart.waiting).toEqual(done);
  expect(agentOf(world, "storm")).toBe(restart.agent);
  expect(world.calls().slice(calls).join("\n")).not.toContain("write-chars");
});

it("ovld restart says what it cannot do: no such army, no role, a pane that was closed", async () => {
  await using world = makeZellijWorld();
  expect(await world.ovld("restart", "storm")).toMatchObject({ code: 3 });
  expect(await world.ovld("restart")).toMatchObject({ code: 2 });
  expect(await world.ovld("restart", "sturm")).toMatchObject({ code: 2 });
  await world.ovld("summon", "--detached", "--agent", "practice", "--no-rituals");
  await world.pane("storm").act("close-pane");
  await expect.poll(async () => (await world.panes()).length, soon).toBe(5);
  const { code, stdout } = await world.ovld("restart", "storm");
  expect(code).toBe(1);
  expect(stdout).toBe("storm has no pane any more. End the army with ovld unsummon, and summon it again.\n");
});

it("summon --resume names a role whose conversation another process has, does not start it twice, exit 1", async () => {
  await using world = makeZellijWorld();
  await world.ovld("summon", "--detached", "--agent", "practice", "--no-rituals");
  const isThere = (role: Role): boolean => openMail(world.relayDir()).conversation(role) !== undefined;
  await expect.poll(() => ROLES.filter(isThere), soon).toEqual(ROLES);
  await cutPower(world);
  const agent = startStandIn(world.sandbox, [
    "claude",
    "--mcp-config",
    join(world.relayDir(), "mcp/storm.json"),
  ]);
  for (const role of ROLES) {
    const kept = conversation(world, role);
    const owner = role === "storm" ? { agent } : {};
    openMail(world.relayDir()).recordConversation({ ...kept, ...owner, ritual: kept.since });
    const lines = [
      { type: "user", timestamp: kept.since, message: { content: "hi" } },
      { type: "assistant", timestamp: kept.since, message: { content: [], stop_reason: "end_turn" } },
    ];
    const path = join(world.relayDir(), "conversations", `${kept.id}.jsonl`);
    writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  }
  expect(await world.ovld("summon", "--detached", "--resume")).toMatchObject({
    code: 1,
    stderr: "ovld: storm was not started: another process has its conversation. Look at its pane.\n",
  });
  expect(conversation(world, "storm").agent).toBe(agent);
});

it("a practice campaign survives a power cut in its middle: everyone resumes, is told once, and each task is done once", async () => {
  await using world = makeZellijWorld();
  const script = `${world.sandbox.root}/script.json`;
  writeFileSync(script, JSON.stringify({ workMs: 4_000 }));
  Object.assign(world.env, { OVLD_PRACTICE_SCRIPT: script });
  await world.ovld("summon", "--detached", "--agent", "practice");
  const ids = ROLES.map((role) => conversation(world, role).id);
  await world.ovld("send", "overlord", "a castle");
  const mail = openMail(world.relayDir());
  const isAtWork = (role: Role): boolean => mail.peekStatus(role).status === "working";
  await expect.poll(() => ROLES.filter(isAtWork), soon).toContain("storm");
  await cutPower(world);
  writeFileSync(script, JSON.stringify({ workMs: 200 }));
  expect((await world.ovld("summon", "--detached", "--resume")).code).toBe(0);
  expect(ROLES.map((role) => conversation(world, role).id)).toEqual(ids);
  await expect
    .poll(() => mail.peekStatus("overlord").status, { timeout: 120_000, interval: 200 })
    .toBe("done");
  const stored = journal(world).filter(({ event }) => event === "stored");
  const sent = stored
    .filter(({ from, to }) => from !== "ovld" && to !== "human")
    .map(({ from, to }) => `${from} → ${to}`);
  expect(sent.toSorted()).toEqual([...new Set(sent)].toSorted());
  expect(sent).toHaveLength(1 + 1 + 4 + 4 + 1);
  const told = stored.filter(({ from }) => from === "ovld").map(({ to }) => to);
  expect(told).toEqual([...new Set(told)]);
  expect(told).toContain("overlord");
  expect(rituals(world)).toEqual(Object.fromEntries(ROLES.map((role) => [role, 1])));
});
