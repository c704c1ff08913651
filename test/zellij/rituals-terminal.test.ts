import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import { ROLES, type Role } from "../../src/army/roles.ts";
import { makeZellijWorld, type ZellijWorld } from "../support/zellij.ts";

const soon = { timeout: 45_000, interval: 100 };
const CTRL_O = "\u000f";

function packaged(role: Role): string {
  return readFileSync(join(process.cwd(), "rituals", `${role}.md`), "utf8");
}

/** The pane that a person who is attached would type into. */
async function focusOf(world: ZellijWorld): Promise<string | undefined> {
  const { stdout } = await world.zellij("--session", "overlord", "action", "list-tabs", "--json");
  // Zellij answers with nothing now and then.
  if (stdout.trim() === "") return focusOf(world);
  const tab = JSON.parse(stdout).find(({ active }: { active: boolean }) => active)?.name;
  return (await world.panes()).find((pane) => pane.tab_name === tab && pane.is_focused)?.title;
}

it("R3.1 R3.2 R3.3a R3.3b with somebody attached the focus goes to each role's tab and pane, and home in the end", async () => {
  await using world = makeZellijWorld();
  const terminal = world.ovldOnTerminal("summon");
  await world.recordings();
  const seen = new Map<Role, string | undefined>();
  while (seen.size < ROLES.length) {
    await pause(20);
    const [served] = ROLES.filter((role) => !seen.has(role) && world.typed(role) !== "");
    // Between the text and its Enter: then the focus is there, and nothing else calls Zellij.
    if (served !== undefined) seen.set(served, await focusOf(world));
  }
  for (const role of ROLES) expect(seen.get(role)).toBe(role);
  await expect.poll(() => focusOf(world), soon).toBe("overlord");
  const calls = world.calls();
  expect(calls).toEqual(expect.arrayContaining(["command", "battlefield", "support"].map(goTo)));
  expect(calls).toContain("--session overlord action move-focus down");
  for (const role of ROLES) expect(world.typed(role)).toBe(`${packaged(role)}\r`);
  // Zellij owned the terminal all the while: nothing of ours is on it.
  expect(terminal.output()).not.toContain("ritual");
});

function goTo(tab: string): string {
  return `--session overlord action go-to-tab-name ${tab}`;
}

it("DR2 a person who goes from tab to tab all the while changes nothing about where the texts land", async () => {
  await using world = makeZellijWorld();
  world.ovldOnTerminal("summon");
  await world.recordings();
  const tabs = ["support", "command", "battlefield"];
  for (let step = 0; ROLES.some((role) => !world.typed(role).endsWith("\r")); step += 1) {
    await world.zellij("--session", "overlord", "action", "go-to-tab-name", tabs[step % tabs.length] ?? "");
    await world.zellij("--session", "overlord", "action", "move-focus", "down");
    // As fast as fingers are: under more than that Zellij begins to answer with nothing.
    await pause(150);
  }
  for (const role of ROLES) expect(world.typed(role)).toBe(`${packaged(role)}\r`);
});

it("who leaves before all have their ritual is told who is left, and coming back gives nothing", async () => {
  await using world = makeZellijWorld();
  const terminal = world.ovldOnTerminal("summon");
  await expect.poll(() => world.typed("overlord") + world.typed("strategist"), soon).toContain("\r");
  terminal.pty.write(CTRL_O);
  terminal.pty.write("d");
  expect(await terminal.exited).toBe(0);
  expect(terminal.output()).toContain("goes on without you");
  expect(terminal.output()).toMatch(/storm has not been given its ritual: it was interrupted before\./);
  expect(terminal.output()).toMatch(/Give it later with: ovld ritual .*storm --session overlord/);
  const typed = ROLES.map((role) => world.typed(role));
  const again = world.ovldOnTerminal("summon");
  await expect.poll(again.output, soon).toContain("command");
  const calls = world.calls().length;
  again.pty.write(CTRL_O);
  again.pty.write("d");
  expect(await again.exited).toBe(0);
  expect(ROLES.map((role) => world.typed(role))).toEqual(typed);
  expect(world.calls().slice(calls).join("\n")).not.toContain("write-chars");
});

it("a session that is killed in the middle of it is cleaned up, exit 0, and nobody is named", async () => {
  await using world = makeZellijWorld();
  const terminal = world.ovldOnTerminal("summon");
  await expect.poll(() => world.typed("overlord") + world.typed("strategist"), soon).not.toBe("");
  await world.zellij("kill-session", "overlord");
  expect(await terminal.exited).toBe(0);
  expect(terminal.output()).not.toContain("has not been given");
  expect(existsSync(world.relayDir())).toBe(false);
});

it.each([
  ["yes", "y\r", true],
  ["no", "\r", false],
])("a folder that is not trusted is asked about; answered with %s", async (_word, answer, trusted) => {
  await using world = makeZellijWorld();
  const file = join(world.sandbox.home, ".claude.json");
  const state = { numStartups: 7, projects: { "/elsewhere": { hasTrustDialogAccepted: true, x: [1] } } };
  writeFileSync(file, JSON.stringify(state, undefined, 2));
  const terminal = world.ovldOnTerminal("summon", "--detached", "--no-rituals");
  await expect.poll(terminal.output, soon).toContain("Trust it for the six agents?");
  expect(await world.sessions()).toBe("");
  terminal.pty.write(answer);
  expect(await terminal.exited).toBe(0);
  const project = { hasTrustDialogAccepted: true };
  const projects = { ...state.projects, ...(trusted && { [world.project]: project }) };
  expect(readFileSync(file, "utf8")).toBe(JSON.stringify({ ...state, projects }, undefined, 2));
  expect(terminal.output()).toContain(trusted ? "is trusted now" : "Each agent will ask whether to trust");
  expect(await world.panes()).toHaveLength(6);
});

it("without a terminal nothing is asked and nothing trusted: it is told that each agent will ask", async () => {
  await using world = makeZellijWorld();
  const file = join(world.sandbox.home, ".claude.json");
  rmSync(file);
  const { code, stderr } = await world.ovld("summon", "--detached", "--no-rituals");
  expect(code).toBe(0);
  expect(stderr).toBe(
    `Each agent will ask whether to trust ${world.project}: answer in its pane, and its ritual follows.\n`,
  );
  expect(existsSync(file)).toBe(false);
});

it("Ctrl-C at the question ends summon, exit 130, and nothing was made", async () => {
  await using world = makeZellijWorld();
  rmSync(join(world.sandbox.home, ".claude.json"));
  const terminal = world.ovldOnTerminal("summon");
  await expect.poll(terminal.output, soon).toContain("Trust it for the six agents?");
  terminal.pty.write("\u0003");
  expect(await terminal.exited).toBe(130);
  expect(await world.sessions()).toBe("");
  expect(existsSync(world.relayDir())).toBe(false);
});
