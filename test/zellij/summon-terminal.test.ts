import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { setTimeout as pause } from "node:timers/promises";
import { identifyProcess } from "../../src/system/process-identity.ts";
import { kdlString } from "../../src/zellij/layout/kdl-string.ts";
import { OVLD } from "../support/ovld.ts";
import type { Terminal } from "../support/terminal.ts";
import { makeZellijWorld, type ZellijWorld } from "../support/zellij.ts";

const CTRL_O = "\u000f";
const CTRL_Q = "\u0011";

async function summonOn(world: ZellijWorld, ...flags: string[]): Promise<Terminal> {
  const terminal = world.ovldOnTerminal("summon", "--no-rituals", ...flags);
  // Not by asking Zellij: whoever calls it while a session starts may take its socket away.
  await world.recordings();
  await expect.poll(terminal.output, { timeout: 20_000 }).toContain("command");
  return terminal;
}

it("Z1.1 Z5.1a Z5.1b Z5.1c Z7.1a Z7.1b Z9.1a Z9.1b on a terminal the panes stand as the layout says", async () => {
  await using world = makeZellijWorld();
  await summonOn(world);
  expect(world.calls()).toContain(
    `--session overlord --new-session-with-layout ${join(world.relayDir(), "layout.kdl")}`,
  );
  const panes = Object.fromEntries((await world.panes()).map((pane) => [pane.title, pane]));
  expect(panes["overlord"].pane_x).toBeLessThan(panes["strategist"].pane_x);
  expect(panes["overlord"].pane_columns / 200).toBeCloseTo(0.3, 1);
  expect(panes["strategist"].pane_columns / 200).toBeCloseTo(0.7, 1);
  expect(panes["inferno"].pane_columns).toBe(200);
  const support = ["glacier", "shadow", "storm"].map((role) => panes[role]);
  expect(support.map(({ pane_x: x, pane_columns: columns }) => [x, columns])).toEqual(
    support.map(() => [0, 200]),
  );
  expect(support.map(({ pane_y: y }) => y)).toEqual(
    support.map(({ pane_y: y }) => y).toSorted((a, b) => a - b),
  );
  const rows = support.map(({ pane_rows: height }) => height);
  expect(Math.max(...rows) - Math.min(...rows)).toBeLessThanOrEqual(1);
  const { stdout } = await world.zellij("--session", "overlord", "action", "list-tabs", "--json");
  expect(JSON.parse(stdout).find(({ active }: { active: boolean }) => active).name).toBe("command");
  expect(panes["overlord"].is_focused).toBe(true);
});

it("Z12.3 after a detach everything goes on, and Z4.1 a second summon attaches to it", async () => {
  await using world = makeZellijWorld();
  const terminal = await summonOn(world);
  terminal.pty.write(CTRL_O);
  terminal.pty.write("d");
  expect(await terminal.exited).toBe(0);
  expect(terminal.output()).toContain("goes on without you");
  expect(terminal.output()).toContain("End it with: ovld unsummon --session overlord");
  expect(await world.panes()).toHaveLength(6);
  expect(existsSync(join(world.relayDir(), "inbox"))).toBe(true);
  expect(world.calls().filter((call) => /^(kill|delete)-session/.test(call))).toEqual([]);
  const again = world.ovldOnTerminal("summon");
  await expect.poll(() => world.calls()).toContain("attach overlord");
  await expect.poll(again.output).toContain("command");
  await world.zellij("kill-session", "overlord");
  expect(await again.exited).toBe(0);
  expect(existsSync(world.relayDir())).toBe(false);
});

it.each([
  [
    "killed from outside",
    async (world: ZellijWorld) => void (await world.zellij("kill-session", "overlord")),
  ],
  ["left by quitting", async (_: ZellijWorld, terminal: Terminal) => terminal.pty.write(CTRL_Q)],
  ["ended by its server's death", async (world: ZellijWorld) => killServer(world)],
])("Z12.2 a session %s is cleaned up, exit 0", async (_how, end) => {
  await using world = makeZellijWorld();
  const terminal = await summonOn(world);
  await end(world, terminal);
  expect(await terminal.exited).toBe(0);
  expect(await world.sessions()).toBe("");
  expect(existsSync(world.relayDir())).toBe(false);
});

it("Z12.1 what remains as EXITED is killed and deleted", async () => {
  await using world = makeZellijWorld();
  const terminal = await summonOn(world);
  leaveExitedEntry(world);
  await world.zellij("kill-session", "overlord");
  expect(await terminal.exited).toBe(0);
  expect(world.calls()).toEqual(
    expect.arrayContaining(["kill-session overlord", "delete-session overlord --force"]),
  );
  expect(await world.sessions()).toBe("");
});

it("Z12.4 a kill and a delete that fail are passed over, and summon ends normally", async () => {
  await using world = makeZellijWorld();
  const terminal = await summonOn(world);
  const wrapper = join(world.sandbox.root, "bin/zellij");
  const real = readFileSync(wrapper, "utf8");
  writeFileSync(
    wrapper,
    real.replace("#!/bin/sh\n", '#!/bin/sh\ncase "$1" in kill-session|delete-session) exit 1;; esac\n'),
  );
  await world.zellij("kill-session", "overlord");
  expect(await terminal.exited).toBe(0);
  expect(existsSync(world.relayDir())).toBe(false);
});

it("a Zellij that fails after a detach costs nobody the army or its mail: it is told, exit 1", async () => {
  await using world = makeZellijWorld();
  const terminal = await summonOn(world);
  const wrapper = join(world.sandbox.root, "bin/zellij");
  const real = readFileSync(wrapper, "utf8");
  writeFileSync(wrapper, real.replace("#!/bin/sh\n", '#!/bin/sh\n[ "$1" = list-sessions ] && exit 7\n'));
  terminal.pty.write(CTRL_O);
  terminal.pty.write("d");
  expect(await terminal.exited).toBe(1);
  expect(terminal.output()).toContain("list-sessions");
  expect(await world.panes()).toHaveLength(6);
  expect(existsSync(join(world.relayDir(), "store.json"))).toBe(true);
});

it("agents that ignore the hang-up do not survive a quit either", async () => {
  await using world = makeZellijWorld({ RECORDER_STUBBORN: "1" });
  const terminal = await summonOn(world);
  const pids = [...(await world.recordings()).values()].flatMap(({ pid, relay }) => [pid, relay]);
  terminal.pty.write(CTRL_Q);
  expect(await terminal.exited).toBe(0);
  await expect.poll(() => pids.filter((pid) => identifyProcess(pid) !== undefined)).toEqual([]);
});

it("an army that replaced ours while we were in it is left alone when we return", async () => {
  await using world = makeZellijWorld();
  const terminal = await summonOn(world);
  await world.zellij("kill-session", "overlord");
  await expect.poll(() => world.sessions()).toBe("");
  const second = await world.ovld("summon", "--detached", "--no-rituals");
  await terminal.exited;
  expect(second.code).toBe(0);
  expect(await world.panes()).toHaveLength(6);
  expect(existsSync(join(world.relayDir(), "store.json"))).toBe(true);
});

it.each<[string, (terminal: Terminal) => void]>([
  ["SIGTERM", ({ pty }) => pty.kill("SIGTERM")],
  ["a closed terminal", ({ close }) => close()],
])("%s while the session starts ends summon, with the whole army or nothing", async (_, end) => {
  await using world = makeZellijWorld();
  for (const moment of [50, 150, 250, 350, 500]) {
    const terminal = world.ovldOnTerminal("summon", "--no-rituals");
    await pause(moment);
    end(terminal);
    await terminal.exited;
    // A session that is there may need a moment until its panes are.
    const there = async (): Promise<string> =>
      `${(await world.panes()).length} panes, ${existsSync(world.relayDir()) ? "a" : "no"} folder`;
    await expect.poll(there, { timeout: 10_000 }).toMatch(/^(6 panes, a|0 panes, no) folder$/);
    await world.ovld("unsummon", "--force");
  }
});

it("a Zellij that cannot start is told, exit 1, and nothing is left behind", async () => {
  await using world = makeZellijWorld();
  const wrapper = join(world.sandbox.root, "bin/zellij");
  const real = readFileSync(wrapper, "utf8");
  writeFileSync(wrapper, real.replace("#!/bin/sh\n", '#!/bin/sh\n[ "$1" = --session ] && exit 1\n'));
  const terminal = world.ovldOnTerminal("summon", "--no-rituals");
  expect(await terminal.exited).toBe(1);
  expect(terminal.output()).toContain("before there was a session");
  expect(existsSync(world.relayDir())).toBe(false);
});

it("a terminal that is closed leaves the session to come back to", async () => {
  await using world = makeZellijWorld();
  const terminal = await summonOn(world);
  terminal.close();
  await terminal.exited;
  expect(await world.panes()).toHaveLength(6);
  expect(existsSync(join(world.relayDir(), "store.json"))).toBe(true);
});

it("inside Zellij summon takes the person's own client to the army, without a client in a client", async () => {
  await using world = makeZellijWorld();
  const terminal = openOuter(world, "bash", ["--norc"]);
  // What is typed before the shell has its prompt may be lost.
  await expect.poll(terminal.output, { timeout: 20_000 }).toMatch(/bash-\d/);
  terminal.pty.write(`'${process.execPath}' '${OVLD}' summon --no-rituals\r`);
  // The army's tabs can only be drawn on this terminal by the client that was in the other session.
  await expect.poll(terminal.output, { timeout: 20_000 }).toContain("battlefield");
  expect(await world.panes()).toHaveLength(6);
  await expect.poll(() => screenOf(world, "outer"), { timeout: 10_000 }).toContain("Come back to it with");
  expect(world.calls().some((call) => call.includes("--new-session-with-layout"))).toBe(false);
});

it("inside Zellij, where no client can be taken along, summon says how to switch by hand", async () => {
  await using world = makeZellijWorld();
  // Zellij moves the client in which a key was pressed last; here none ever was.
  const go = join(world.sandbox.root, "go");
  const summon = `'${process.execPath}' '${OVLD}' summon --no-rituals`;
  const terminal = openOuter(world, "bash", ["-c", `until [ -e '${go}' ]; do sleep 0.1; done; ${summon}`]);
  // Not before that session answers: a call of Zellij could take its socket away.
  await expect.poll(terminal.output, { timeout: 20_000 }).toContain("]0;outer");
  writeFileSync(go, "");
  await world.recordings();
  const says = /Switch to session overlord with Ctrl-o w/;
  await expect.poll(() => screenOf(world, "outer"), { timeout: 20_000 }).toMatch(says);
  expect(await world.panes()).toHaveLength(6);
});

it("in a session that was renamed summon says how to switch by hand", async () => {
  await using world = makeZellijWorld();
  await world.zellij("attach", "--create-background", "renamed");
  Object.assign(world.env, { ZELLIJ: "0", ZELLIJ_SESSION_NAME: "outer", ZELLIJ_PANE_ID: "0" });
  const terminal = world.ovldOnTerminal("summon", "--no-rituals");
  expect(await terminal.exited).toBe(0);
  expect(terminal.output()).toContain("Switch to session overlord with Ctrl-o w");
  expect(await world.panes()).toHaveLength(6);
});

/** A session of the person's own on a terminal, with one program in it. */
function openOuter(world: ZellijWorld, program: string, args: string[]): Terminal {
  const layout = join(world.sandbox.root, "outer.kdl");
  const words = args.map((word) => ` ${kdlString(word)}`).join("");
  const pane = `pane command=${kdlString(program)} {\nargs${words}\n}`;
  // Over a layout with tabs Zellij lays no wizard of its own.
  writeFileSync(layout, `layout {\ntab {\n${pane}\n}\n}\nsession_serialization false\n`);
  return world.zellijOnTerminal("--session", "outer", "--new-session-with-layout", layout);
}

async function screenOf(world: ZellijWorld, session: string): Promise<string> {
  const pane = ["--pane-id", "terminal_0"];
  return (await world.zellij("--session", session, "action", "dump-screen", ...pane)).stdout;
}

/** As a Zellij that keeps its sessions would leave it. */
function leaveExitedEntry(world: ZellijWorld): void {
  const folder = join(world.env["XDG_CACHE_HOME"] ?? "", "zellij/contract_version_1/session_info/overlord");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "session-layout.kdl"), "layout { pane; }\n");
}

async function killServer(world: ZellijWorld): Promise<void> {
  const overlord = (await world.recordings()).get("overlord");
  const parent = readFileSync(`/proc/${overlord?.pid}/stat`, "utf8").split(") ")[1]?.split(" ")[1];
  process.kill(Number(parent), "SIGKILL");
}
