import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { test } from "vitest";
import { ROLES } from "../../src/army/roles.ts";
import { makeZellijWorld, type ZellijWorld } from "../support/zellij.ts";
import { soon } from "../support/wait-until.ts";
import { programPath } from "../support/program-path.ts";
import { expectPrompts } from "../support/recorded-rituals.ts";

/** Side by side, because these armies mostly pause. */
const it = test.concurrent;

/** Giving six rituals takes a while on a busy machine. */
const patient = { timeout: 120_000, interval: 100 };

/** The pane into which an attached person would type; undefined while nobody is attached. */
async function focusOf(world: ZellijWorld): Promise<string | undefined> {
  const { stdout } = await world.zellij("--session", "overlord", "action", "list-clients");
  const [, id] = /^\d+\s+terminal_(\d+)/m.exec(stdout) ?? [];
  return (await world.panes()).find((pane) => pane.id === Number(id))?.title;
}

/** From now on, records before ovld types into a pane which pane that is and which one the viewer is in. */
function recordFocus(world: ZellijWorld): () => { typed: string; focused: string }[] {
  const file = join(world.sandbox.root, "focus");
  const real = process.env["OVLD_TEST_ZELLIJ"] ?? "zellij";
  const program = programPath("record-focus.sh");
  world.beforeZellij(`[ "$4" = write-chars ] && sh '${program}' '${real}' '${file}' "$6"`);
  return () =>
    readFileSync(file, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => line.split(" "))
      .map(([typed = "", focused = ""]) => ({ typed, focused }));
}

it("R3.1 R3.2 R3.3a R3.3b if a person is attached, the focus moves to each role's tab and pane, and home in the end", async ({
  expect,
}) => {
  // No agent is ready before a person is attached and all agents have drawn their composers.
  await using world = makeZellijWorld();
  const gate = join(world.sandbox.root, "gate");
  const plan = Object.fromEntries(ROLES.map((role) => [role, { after: gate }]));
  Object.assign(world.env, { RECORDER_PLAN: JSON.stringify(plan) });
  const focusWhenTyped = recordFocus(world);
  const terminal = world.ovldOnTerminal("summon");
  // A call of Zellij while a session is being created could remove its socket.
  await expect.poll(terminal.output, soon).toContain("battlefield");
  for (const role of ROLES) await expect.poll(() => world.pane(role).composer(), soon).toBe("");
  writeFileSync(gate, "");
  await expect.poll(() => ROLES.filter((role) => world.prompts(role).length > 0), patient).toEqual(ROLES);
  const panes = await world.panes();
  const titleOf = (id: string): string => panes.find((pane) => `terminal_${pane.id}` === id)?.title;
  const seen = focusWhenTyped().map(({ typed, focused }) => [titleOf(typed), titleOf(focused)]);
  expect(new Set(seen.map(([typed]) => typed))).toEqual(new Set(ROLES));
  for (const [typed, focused] of seen) expect(focused).toBe(typed);
  await expect.poll(() => focusOf(world), soon).toBe("overlord");
  const calls = world.calls();
  expect(calls).toEqual(expect.arrayContaining(["command", "battlefield", "support"].map(goTo)));
  expect(calls).toContain("--session overlord action move-focus down");
  expectPrompts(world);
  // Zellij owned the terminal all the time, so nothing of ours is on it.
  expect(terminal.output()).not.toContain("ritual");
});

function goTo(tab: string): string {
  return `--session overlord action go-to-tab-name ${tab}`;
}

const WALKS_FOR_MS = 120_000;

it("DR2 a person who keeps switching tabs does not change where the texts land", async () => {
  await using world = makeZellijWorld();
  world.ovldOnTerminal("summon");
  await world.recordings();
  const tabs = ["support", "command", "battlefield"];
  const isDone = (): boolean => ROLES.every((role) => world.prompts(role).length > 0);
  // An endless walk would keep the world from being removed.
  const until = Date.now() + WALKS_FOR_MS;
  for (let step = 0; !isDone() && Date.now() < until; step += 1) {
    await world.zellij("--session", "overlord", "action", "go-to-tab-name", tabs[step % tabs.length] ?? "");
    await world.zellij("--session", "overlord", "action", "move-focus", "down");
    // As fast as a person: at a higher rate Zellij begins to answer with nothing.
    await pause(150);
  }
  expectPrompts(world);
});
