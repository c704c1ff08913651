import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { soon } from "../support/wait-until.ts";
import { makeZellijWorld, type ZellijWorld } from "../support/zellij.ts";

const ALT_S = "\u001bs";
const TO_TAB_3 = "\u00143";

/** Zellij's configuration; the key is bound only if there is one. */
function configure(world: ZellijWorld, kdl = ""): string {
  const folder = join(world.sandbox.home, ".config", "zellij");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "config.kdl"), kdl);
  return folder;
}

async function floating(world: ZellijWorld): Promise<any[]> {
  return (await world.panes()).filter(({ is_floating: isFloating }) => isFloating);
}

/** The panes that people are in. */
async function viewed(world: ZellijWorld): Promise<string[]> {
  const { stdout } = await world.zellij("--session", "overlord", "action", "list-clients");
  return Array.from(stdout.matchAll(/^\d+\s+(terminal_\d+)/gm), ([, pane]) => pane ?? "").toSorted();
}

/** Whether the program of the floating pane is running. */
function isStatusRunning(home: string): boolean {
  return readdirSync("/proc").some(
    (pid) => read(pid, "cmdline").includes("--floating") && read(pid, "environ").includes(`HOME=${home}\0`),
  );
}

function read(pid: string, file: string): string {
  try {
    return readFileSync(join("/proc", pid, file), "utf8");
  } catch {
    return "";
  }
}

it("Alt s opens the status once in a floating pane, which leads its own person to a pane, and is nobody's pane", async () => {
  await using world = makeZellijWorld();
  configure(world);
  const person = world.ovldOnTerminal("summon", "--agent", "practice", "--no-rituals");
  await expect.poll(person.output, soon).toContain("battlefield");
  await expect
    .poll(async () => JSON.parse((await world.ovld("status", "--json")).stdout).roles, soon)
    .toMatchObject(Array.from({ length: 6 }, (_, pane) => ({ pane, agent: { state: "idle" } })));
  const other = world.zellijOnTerminal("attach", "overlord");
  await expect.poll(() => viewed(world), soon).toEqual(["terminal_0", "terminal_0"]);
  other.pty.write(TO_TAB_3);
  await expect.poll(() => viewed(world), soon).toEqual(["terminal_0", "terminal_3"]);

  person.pty.write(ALT_S);
  await expect.poll(() => floating(world), soon).toMatchObject([{ id: 6, title: "ovld status" }]);
  const status = world.pane("ovld status");
  await expect.poll(() => status.screen(), soon).toContain("q leave");
  expect(await viewed(world)).toEqual(["terminal_3", "terminal_6"]);

  // Taken to a role's pane, which hides the floating pane, and back by the same key, which opens no second one.
  person.pty.write("g3");
  await expect.poll(() => viewed(world), soon).toEqual(["terminal_2", "terminal_3"]);
  person.pty.write(ALT_S);
  await expect.poll(() => viewed(world), soon).toEqual(["terminal_3", "terminal_6"]);
  await expect.poll(() => floating(world), soon).toMatchObject([{ id: 6 }]);

  // Mail, a restart and the status concern the six panes of the army only.
  expect((await world.ovld("send", "inferno", "hello")).stdout).toMatch(
    /inferno (was notified|has started on it)|delivered to inferno/,
  );
  expect((await world.ovld("restart", "storm")).code).toBe(0);
  expect(await floating(world)).toMatchObject([{ id: 6, exited: false }]);
  expect(await status.screen()).toContain("q leave");
  const { roles } = JSON.parse((await world.ovld("status", "--json")).stdout);
  expect(roles.map(({ pane }: { pane: number }) => pane)).toEqual([0, 1, 2, 3, 4, 5]);

  const isOpen = (): boolean => isStatusRunning(world.sandbox.home);
  expect(isOpen()).toBe(true);
  expect((await world.ovld("unsummon", "--yes")).code).toBe(0);
  await expect.poll(isOpen, soon).toBe(false);
  await person.exited;
});

it("a request that comes up is announced by the terminal and answered in the floating pane, and q closes it", async () => {
  await using world = makeZellijWorld();
  configure(world);
  const script = join(world.sandbox.root, "script.json");
  const acts = [{ when: { prompt: "please run" }, turn: [{ do: "ask", command: "touch it" }] }];
  writeFileSync(script, JSON.stringify({ workMs: 0, roles: { overlord: { acts } } }));
  Object.assign(world.env, { OVLD_PRACTICE_SCRIPT: script });
  const { pty, output } = world.ovldOnTerminal("summon", "--agent", "practice", "--no-rituals");
  await expect.poll(output, soon).toContain("battlefield");
  pty.write(ALT_S);
  const status = world.pane("ovld status");
  await expect.poll(() => status.screen(), soon).toContain("q leave");
  await world.pane("overlord").say("please run");
  await expect
    .poll(output, soon)
    .toContain("\u001b]9;overlord is asking you (army overlord): Bash: touch it\u0007");
  await expect.poll(() => status.screen(), soon).toContain("a answer (1)");
  pty.write("a");
  await expect
    .poll(() => status.screen(), soon)
    .toMatch(/overlord asks to run a command[^]+touch it[^]+\[n\] deny/);
  pty.write("y\r");
  await expect.poll(() => status.screen(), soon).toContain("overlord has your answer.");
  const answers = world.record().filter(({ event }) => event === "approved");
  expect(answers).toHaveLength(1);
  pty.write("q");
  await expect.poll(() => floating(world), soon).toEqual([]);
});

it("a key that the person's configuration uses stays theirs, one that cannot be checked is not bound, and the doctor says so", async () => {
  await using world = makeZellijWorld();
  const folder = configure(world, `keybinds { shared { bind "Alt s" { NewTab; }; }; }\n`);
  await world.ovld("summon", "--detached", "--no-rituals");
  expect(readFileSync(join(world.relayDir(), "layout.kdl"), "utf8")).not.toContain("keybinds");
  const taken = await world.ovld("doctor");
  expect(taken.stdout).toContain(`shortcut off: ${folder}/config.kdl already uses Alt s`);
  await world.ovld("unsummon", "--yes");
  configure(world, `keybinds { shared { bind "\\u{41}lt s" { NewTab; }; }; }\n`);
  const unknown = await world.ovld("doctor");
  expect(unknown.stdout).toContain(`the keys in ${folder}/config.kdl could not be read`);
  configure(world);
  expect((await world.ovld("doctor")).stdout).toContain("Alt s opens the status in an army");
});

it("the configuration that Zellij makes when it runs for the first time has no key of ours, and the next army has the key", async () => {
  await using world = makeZellijWorld();
  const summon = (): Promise<unknown> => world.ovld("summon", "--detached", "--no-rituals", "--fresh");
  await summon();
  const file = join(world.sandbox.home, ".config", "zellij", "config.kdl");
  await expect.poll(() => existsSync(file), soon).toBe(true);
  expect(readFileSync(file, "utf8")).not.toContain("--floating");
  await world.ovld("unsummon", "--yes");
  await summon();
  expect(readFileSync(join(world.relayDir(), "layout.kdl"), "utf8")).toContain("keybinds");
});
