import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { identifyProcess } from "../../src/system/process.ts";
import type { Terminal } from "../support/terminal.ts";
import { makeZellijWorld, type ZellijWorld } from "../support/zellij.ts";

const LEAVE = "\u000fd";
const QUIT = "\u0011";

async function summonOnTerminal(world: ZellijWorld): Promise<Terminal> {
  const terminal = world.ovldOnTerminal("summon", "--no-rituals");
  await world.recordings();
  await expect.poll(terminal.output).toContain("command");
  return terminal;
}

async function pidsOf(world: ZellijWorld): Promise<number[]> {
  return [...(await world.recordings()).values()].flatMap(({ pid, relay }) => [pid, relay]);
}

function living(pids: number[]): number[] {
  return pids.filter((pid) => identifyProcess(pid) !== undefined);
}

it("Z12.3 an army whose session was renamed and left keeps running, and is found by its old and its new name", async () => {
  await using world = makeZellijWorld();
  const terminal = await summonOnTerminal(world);
  const pids = await pidsOf(world);
  await world.zellij("--session", "overlord", "action", "rename-session", "mine");
  await expect.poll(() => world.sessions()).toMatch(/^mine /);
  terminal.pty.write(LEAVE);
  expect(await terminal.exited).toBe(0);
  expect(terminal.output()).toContain("The army mine is still running");
  expect(terminal.output()).toContain("ovld summon --army mine");
  expect(living(pids)).toEqual(pids);
  expect(world.calls().filter((call) => /^(kill|delete)-session/.test(call))).toEqual([]);

  for (const flags of [[], ["--session", "overlord"], ["--session", "mine"]]) {
    expect((await world.ovld("status", ...flags)).stdout).toContain("The army mine is running.");
  }
  await world.ovld("send", "--session", "mine", "storm", "hold the gate");
  await expect.poll(() => world.typed("storm")).toMatch(/MESSAGE.*\r/s);

  const again = world.ovldOnTerminal("summon");
  await expect.poll(() => world.calls()).toContain("attach mine");
  await expect.poll(again.output).toContain("battlefield");
  again.pty.write(LEAVE);
  expect(await again.exited).toBe(0);
  expect((await world.ovld("summon", "--detached", "--session", "mine")).code).toBe(5);

  expect((await world.ovld("unsummon", "--session", "mine")).stdout).toContain("The army mine has ended");
  expect(await world.sessions()).toBe("");
  expect(living(pids)).toEqual([]);
  expect(existsSync(world.relayDir())).toBe(false);
});

it("a name with a space in it does not hide a running army, and unsummon ends it by its old name", async () => {
  await using world = makeZellijWorld();
  const terminal = await summonOnTerminal(world);
  const pids = await pidsOf(world);
  await world.zellij("--session", "overlord", "action", "rename-session", "my army");
  await expect.poll(() => world.sessions()).toMatch(/^my army /);
  terminal.pty.write(LEAVE);
  expect(await terminal.exited).toBe(0);
  expect(living(pids)).toEqual(pids);
  expect((await world.ovld("unsummon")).code).toBe(0);
  expect(await world.sessions()).toBe("");
  expect(living(pids)).toEqual([]);
});

it("a renamed session that is quit is cleaned up, including its socket, which Zellij leaves", async () => {
  await using world = makeZellijWorld();
  const terminal = await summonOnTerminal(world);
  const pids = await pidsOf(world);
  await world.zellij("--session", "overlord", "action", "rename-session", "mine");
  await expect.poll(() => world.sessions()).toMatch(/^mine /);
  terminal.pty.write(QUIT);
  expect(await terminal.exited).toBe(0);
  expect(terminal.output()).toContain("has ended, and everything it left has been cleaned up");
  expect(living(pids)).toEqual([]);
  expect(existsSync(world.relayDir())).toBe(false);
  expect(readdirSync(join(world.sandbox.root, "s/contract_version_1"))).toEqual([]);
});

it("another session that took the old name is neither typed into nor ended", async () => {
  await using world = makeZellijWorld();
  await world.ovld("summon", "--detached", "--no-rituals");
  const pids = await pidsOf(world);
  await world.zellij("--session", "overlord", "action", "rename-session", "mine");
  await expect.poll(() => world.sessions()).toMatch(/^mine /);
  const typed = await openStranger(world, "storm");
  await world.ovld("send", "storm", "hold the gate");
  await expect.poll(() => world.typed("storm")).toContain("MESSAGE");
  expect(readFileSync(typed, "utf8")).toBe("");
  expect((await world.ovld("unsummon")).code).toBe(0);
  expect(living(pids)).toEqual([]);
  // Zellij itself removes that session's socket: an ending server removes the socket with its original name.
  expect(identifyProcess(world.server("overlord"))).toBeDefined();
});

it("an army whose socket is gone is not destroyed: it is reported, no second one shares its mail, and unsummon ends it", async () => {
  await using world = makeZellijWorld();
  const terminal = await summonOnTerminal(world);
  const pids = await pidsOf(world);
  rmSync(join(world.sandbox.root, "s/contract_version_1/overlord"));
  terminal.pty.write(LEAVE);
  expect(await terminal.exited).toBe(0);
  expect(terminal.output()).toContain("is still running, but Zellij does not list it any more");
  expect(living(pids)).toEqual(pids);
  expect(await world.ovld("summon", "--detached", "--no-rituals")).toMatchObject({
    code: 5,
    stderr: expect.stringContaining("is still running, but Zellij does not list it any more"),
  });
  expect((await world.ovld("unsummon")).code).toBe(0);
  await expect.poll(() => living(pids)).toEqual([]);
  expect(existsSync(world.relayDir())).toBe(false);
});

it("nothing of ours is left next to the sockets, even after a call that was killed", async () => {
  await using world = makeZellijWorld();
  const sockets = join(world.sandbox.root, "s");
  await world.ovld("summon", "--detached", "--no-rituals");
  mkdirSync(join(sockets, "ovld-view-4711-1.0-1/contract_version_1"), { recursive: true });
  await world.ovld("status");
  expect(readdirSync(sockets)).toEqual(["contract_version_1"]);
});

/** A session named overlord that ovld did not create, with a pane that would accept the bell of a role. */
async function openStranger(world: ZellijWorld, role: string): Promise<string> {
  const typed = join(world.sandbox.root, "typed-to-a-stranger");
  const layout = join(world.sandbox.root, "stranger.kdl");
  const words = ["-c", `printf '────\\n❯\\302\\240\\n────'; head -c 1 > '${typed}'; sleep 600`];
  const args = words.map((word) => JSON.stringify(word)).join(" ");
  writeFileSync(
    layout,
    `session_serialization false\nlayout {\npane name="${role}" command="bash" {\nargs ${args}\n}\n}\n`,
  );
  await world.zellij("attach", "--create-background", "overlord", "options", "--default-layout", layout);
  await expect.poll(async () => (await world.panes("overlord")).length).toBe(1);
  return typed;
}

it("ending a renamed army leaves another session reachable that has taken its old name", async () => {
  await using world = makeZellijWorld();
  await world.ovld("summon", "--detached", "--no-rituals");
  await world.recordings();
  await world.zellij("--session", "overlord", "action", "rename-session", "mine");
  await expect.poll(() => world.sessions()).toMatch(/^mine /);
  await world.zellij("attach", "--create-background", "overlord");
  await expect.poll(() => world.sessions()).toMatch(/^overlord /m);
  expect((await world.ovld("unsummon", "--session", "mine", "--yes")).stdout).toContain(
    "The army mine has ended, and everything it left has been cleaned up.",
  );
  expect(await world.sessions()).toMatch(/^overlord [^\n]*\n$/);
  expect((await world.zellij("--session", "overlord", "action", "query-tab-names")).stdout).toContain(
    "Tab #1",
  );
});

it("an army in another socket folder is not called lost: the error says how to reach it", async () => {
  await using world = makeZellijWorld();
  await world.ovld("summon", "--detached", "--no-rituals");
  const mine = world.env["ZELLIJ_SOCKET_DIR"] ?? "";
  const other = join(world.sandbox.root, "o");
  mkdirSync(other);
  world.env["ZELLIJ_SOCKET_DIR"] = other;
  const { code, stderr } = await world.ovld("summon", "--detached", "--no-rituals");
  world.env["ZELLIJ_SOCKET_DIR"] = mine;
  expect(code).toBe(5);
  expect(stderr).toContain(`Attach to it with ZELLIJ_SOCKET_DIR=${mine} ovld summon --army overlord.`);
  expect((await world.recordings()).size).toBe(6);
});
