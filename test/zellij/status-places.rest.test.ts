import { expect, it } from "vitest";
import { identifyProcess } from "../../src/system/process.ts";
import { makeZellijWorld, type ZellijWorld } from "../support/zellij.ts";
import { seatPractice } from "../support/practice-seats.ts";
import { soon } from "../support/wait-until.ts";

async function placesOf(world: ZellijWorld): Promise<Record<string, [string, number, number]>> {
  const { roles } = JSON.parse((await world.ovld("status", "--json")).stdout);
  return Object.fromEntries(
    roles.map(({ role, tab, tabNumber, pane }: any) => [role, [tab, tabNumber, pane]]),
  );
}

it("after panes and tabs were renamed, swapped, moved and closed, status shows where each pane is", async () => {
  await using world = makeZellijWorld();
  await world.ovld("summon", "--detached", "--no-rituals");
  await world.recordings();
  await expect.poll(async () => (await placesOf(world))["storm"], soon).toEqual(["support", 3, 5]);
  const act = (...words: string[]) => world.zellij("--session", "overlord", "action", ...words);
  await act("rename-tab-by-id", "2", "helpers");
  await act("rename-pane", "--pane-id", "terminal_4", "storm");
  await act("rename-pane", "--pane-id", "terminal_5", "shadow");
  await act("rename-pane", "--pane-id", "terminal_3", "mine");
  await act("move-tab", "--tab-id", "2", "left");
  await act("close-pane", "--pane-id", "terminal_2");
  const moved = {
    overlord: ["command", 1, 0],
    strategist: ["command", 1, 1],
    inferno: [null, null, null],
    glacier: ["helpers", 2, 3],
    shadow: ["helpers", 2, 4],
    storm: ["helpers", 2, 5],
  };
  await expect.poll(() => placesOf(world), soon).toEqual(moved);
  const { stdout } = await world.ovld("status");
  expect(stdout).toContain("inferno's pane was closed  →  ovld unsummon, then ovld summon\n");
  expect(stdout).not.toMatch(/support|battlefield/);
});

it("a pane that was broken out into a tab of its own is shown there", async () => {
  await using world = makeZellijWorld();
  const terminal = world.ovldOnTerminal("summon", "--no-rituals");
  await world.recordings();
  await expect.poll(terminal.output, soon).toContain("battlefield");
  await expect.poll(async () => (await placesOf(world))["overlord"], soon).toEqual(["command", 1, 0]);
  terminal.pty.write("\u0014");
  terminal.pty.write("b");
  await expect
    .poll(async () => (await placesOf(world))["overlord"], soon)
    .toEqual([expect.not.stringMatching("command"), expect.any(Number), 0]);
  expect((await placesOf(world))["strategist"]).toEqual(["command", 1, 1]);
});

it("a suspended agent needs the person, who is shown the command that continues it", async () => {
  await using seats = await seatPractice(["strategist"]);
  const { world } = seats;
  const agent = seats.report("strategist")?.agent ?? "";
  process.kill(Number.parseInt(agent, 10), "SIGSTOP");
  const board = async (): Promise<string> => (await world.ovld("status", "--session", "seats")).stdout;
  await expect
    .poll(board, soon)
    .toContain("strategist is suspended (Ctrl-Z)  →  ovld restart --continue strategist --army seats\n");
  expect(await board()).toMatch(/strategist +suspended /);
  const other = await world.ovld("restart", "--continue", "storm", "--session", "seats");
  expect(other.stdout).toBe("None of these agents is suspended: storm.\n");
  const json = await world.ovld("restart", "--continue", "strategist", "--session", "seats", "--json");
  expect(JSON.parse(json.stdout)).toEqual({ session: "seats", continued: ["strategist"] });
  await expect.poll(board, soon).toMatch(/strategist +idle /);
  await seats.pane("strategist").say("please work");
  await expect.poll(() => seats.report("strategist")?.state, soon).toBe("busy");
});

it("if the relay has ended and nothing else reports its agent's state, status and send say so, and nothing is typed", async () => {
  await using seats = await seatPractice(["strategist"]);
  const { world } = seats;
  const { relay = "", agent = "" } = seats.report("strategist") ?? {};
  process.kill(Number.parseInt(relay, 10), "SIGKILL");
  const pid = Number.parseInt(agent, 10);
  await expect
    .poll(async () => (await world.ovld("status", "--session", "seats")).stdout, soon)
    .toMatch(
      /strategist's relay has ended, so mail does not reach it; restart the agent, or type \/mcp in its pane {2}→ {2}ovld restart strategist/,
    );
  expect(identifyProcess(pid)).toBe(agent);
  const { code, stdout } = await world.ovld("send", "strategist", "hurry", "--session", "seats");
  expect(code).toBe(0);
  expect(stdout).toContain("strategist was not notified: its state is unknown, so nothing was typed.\n");
  expect(stdout).toContain("strategist's relay has ended, so mail does not wake it by itself.");
  const again = await world.ovld("send", "strategist", "hurry", "--session", "seats", "--json");
  expect(JSON.parse(again.stdout)).toMatchObject({ stored: true, bell: "held", relay: "ended" });
  expect(seats.record().some(({ prompt }) => prompt !== undefined)).toBe(false);
});
