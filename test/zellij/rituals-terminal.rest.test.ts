import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { test } from "vitest";
import { ROLES } from "../../src/army/roles.ts";
import { makeZellijWorld } from "../support/zellij.ts";
import { soon } from "../support/wait-until.ts";
import { expectPrompts } from "../support/recorded-rituals.ts";

/** Side by side, because these armies mostly pause. */
const it = test.concurrent;

const CTRL_O = "\u000f";

it("a person who leaves before all have their ritual is told which roles wait; the rest follow by themselves, each once", async ({
  expect,
}) => {
  await using world = makeZellijWorld();
  const terminal = world.ovldOnTerminal("summon");
  await expect.poll(() => ROLES.map((role) => world.typed(role)).join(""), soon).not.toBe("");
  terminal.pty.write(CTRL_O);
  terminal.pty.write("d");
  expect(await terminal.exited).toBe(0);
  expect(terminal.output()).toContain("Attach to it with: ovld summon --army overlord");
  expect(terminal.output()).toMatch(/: no ritual yet, because /);
  expect(terminal.output()).toContain(
    "Each of these roles gets its ritual as soon as its agent is ready; you need not do anything.",
  );
  await expect.poll(() => ROLES.filter((role) => world.prompts(role).length > 0), soon).toEqual(ROLES);
  const again = world.ovldOnTerminal("summon");
  await expect.poll(again.output, soon).toContain("command");
  again.pty.write(CTRL_O);
  again.pty.write("d");
  expect(await again.exited).toBe(0);
  expectPrompts(world);
});

it("a session that is killed while rituals are given is cleaned up, exit 0, and no role is named", async ({
  expect,
}) => {
  await using world = makeZellijWorld();
  const terminal = world.ovldOnTerminal("summon");
  await expect.poll(() => world.typed("overlord") + world.typed("strategist"), soon).not.toBe("");
  await world.zellij("kill-session", "overlord");
  expect(await terminal.exited).toBe(0);
  expect(terminal.output()).not.toContain("no ritual yet");
  expect(existsSync(world.relayDir())).toBe(false);
});

it.for([
  ["yes", "y\r", true],
  ["no", "\r", false],
] as const)(
  "summon asks about a folder that is not trusted; answered with %s",
  async ([, answer, trusted], { expect }) => {
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
    expect(terminal.output()).toContain(trusted ? "is now trusted" : "Each agent will ask whether to trust");
    expect(await world.panes()).toHaveLength(6);
  },
);

it("without a terminal nothing is asked and nothing trusted: the output says that each agent will ask", async ({
  expect,
}) => {
  await using world = makeZellijWorld();
  const file = join(world.sandbox.home, ".claude.json");
  rmSync(file);
  const { code, stderr } = await world.ovld("summon", "--detached", "--no-rituals");
  expect(code).toBe(0);
  expect(stderr).toBe(
    `Each agent will ask whether to trust ${world.project}. Answer in its pane; until then it gets no ritual.\n`,
  );
  expect(existsSync(file)).toBe(false);
});

it("Ctrl-C at the question ends summon, exit 130, and nothing was created", async ({ expect }) => {
  await using world = makeZellijWorld();
  rmSync(join(world.sandbox.home, ".claude.json"));
  const terminal = world.ovldOnTerminal("summon");
  await expect.poll(terminal.output, soon).toContain("Trust it for the six agents?");
  terminal.pty.write("\u0003");
  expect(await terminal.exited).toBe(130);
  expect(await world.sessions()).toBe("");
  expect(existsSync(world.relayDir())).toBe(false);
});

/** What a person has typed, among the bytes in a pane: neither our pastes nor our keys. */
function lettersIn(bytes: string): string {
  return (
    bytes
      // A paste may be in progress.
      .replaceAll(/\u001b\[200~[^]*?(?:\u001b\[201~|$)/g, "")
      .replaceAll(/\u001b\[[0-9;]*[A-Za-z~]/g, "")
      .replaceAll(/[^a-z]/g, "")
  );
}

it("a person who types their wish while the rituals are given keeps the focus: no letter lands in another pane", async ({
  expect,
}) => {
  const wish = "please build me a castle with a moat";
  const rounds = Number(process.env["OVLD_TEST_ROUNDS"] ?? 1);
  for (let round = 1; round <= rounds; round += 1) {
    await using world = makeZellijWorld();
    const terminal = world.ovldOnTerminal("summon");
    await world.recordings();
    await pause(Math.random() * 8_000);
    for (const key of wish) {
      terminal.pty.write(key);
      await pause(60 + Math.random() * 140);
    }
    const found = ROLES.filter((role) => lettersIn(world.typed(role)) !== "");
    // The pane that had the focus when they began got all of it.
    expect(found).toHaveLength(1);
    const [own] = found;
    expect(own && lettersIn(world.typed(own))).toBe(wish.replaceAll(" ", ""));
    terminal.pty.write("\r");
    await expect.poll(() => ROLES.filter((role) => world.prompts(role).length > 0), soon).toEqual(ROLES);
    const sent = own === undefined ? [] : world.prompts(own).map((prompt) => prompt.trim());
    expect(sent).toContain(wish);
  }
}, 3_600_000);
