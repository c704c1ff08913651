import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";
import { ROLES } from "../../src/army/roles.ts";
import { openMail } from "../../src/mail/mail.ts";
import { makeZellijWorld } from "../support/zellij.ts";
import { soon } from "../support/wait-until.ts";
import { packagedRitual } from "../support/packaged-ritual.ts";
import { expectPrompts, makePlan, ritualsIn } from "../support/recorded-rituals.ts";

/** Side by side, because these armies mostly pause. */
const it = test.concurrent;

it("first use fills the person's folder; a rituals folder of the project is used only on request", async ({
  expect,
}) => {
  await using world = makeZellijWorld({ OVLD_LANG: "ja" });
  const [mine, theirs] = [join(world.sandbox.home, ".config/ovld/rituals"), join(world.project, "rituals")];
  mkdirSync(theirs);
  for (const role of ROLES) writeFileSync(join(theirs, `${role}.md`), `I am ${role} of the project.`);
  const plan = JSON.parse((await world.ovld("summon", "--dry-run", "--json")).stdout);
  expect(plan.rituals[5]).toEqual({
    role: "storm",
    path: join(mine, "storm.md"),
    startsAs: join(process.cwd(), "rituals/ja/storm.md"),
  });
  expect(existsSync(mine)).toBe(false);
  const asked = await world.ovld("summon", "--dry-run", "--rituals", "rituals");
  expect(asked.stdout).toContain(join(theirs, "storm.md"));
  expect(await world.ovld("summon", "--detached", "--rituals", "rituals")).toMatchObject({ code: 0 });
  for (const role of ROLES)
    expect(world.prompts(role).map((each) => each.trim())).toEqual([`I am ${role} of the project.`]);
  await world.ovld("unsummon", "--yes");
  expect(existsSync(mine)).toBe(false);
  await world.ovld("summon", "--detached", "--no-rituals");
  expect(existsSync(mine)).toBe(false);
});

it("an army keeps its rituals next to its mail, and unsummon removes them", async ({ expect }) => {
  await using world = makeZellijWorld();
  await world.ovld("summon", "--detached");
  for (const role of ROLES)
    expect(readFileSync(join(world.relayDir(), "rituals", `${role}.md`), "utf8")).toBe(packagedRitual(role));
  const { stdout } = await world.ovld("unsummon", "--yes");
  expect(stdout).not.toContain("Left alone");
  expect(existsSync(world.relayDir())).toBe(false);
});

it("ovld rituals give exits with 3 if there is no such session, with 2 for an unknown role", async ({
  expect,
}) => {
  await using world = makeZellijWorld();
  expect(await world.ovld("rituals", "give", "--session", "nobody")).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("no army called nobody"),
  });
  // The mail of an army that ended in a power cut exists, its session does not.
  openMail(world.relayDir("gone")).init();
  expect((await world.ovld("rituals", "give", "--session", "gone")).code).toBe(3);
  expect(await world.ovld("rituals", "give", "king")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('"king" is not a role'),
  });
});

it("a slow agent, one that ended and a closed pane are reported clearly, and the others get their rituals", async ({
  expect,
}) => {
  await using world = makeZellijWorld();
  const [ready, never] = [join(world.sandbox.root, "ready"), join(world.sandbox.root, "never")];
  const plan = { overlord: { slow: ready }, glacier: { slow: never }, storm: { exits: true } };
  Object.assign(world.env, makePlan(plan));
  const summoning = world.ovld("summon", "--detached");
  await expect.poll(() => world.typed("strategist"), soon).not.toBe("");
  await world.pane("glacier").act("close-pane");
  const given = (): string[] =>
    ritualsIn(world).flatMap(({ role, outcome }) => (outcome === "given" ? [role] : []));
  // All who are ready have their rituals.
  await expect.poll(() => given().toSorted(), soon).toEqual(["inferno", "shadow", "strategist"]);
  writeFileSync(ready, "");
  const { code, stderr } = await summoning;
  expect(code).toBe(1);
  expect(stderr.trim().split("\n").toSorted()).toEqual([
    expect.stringContaining("ovld rituals give glacier storm --army overlord"),
    "glacier: no ritual yet, because no pane has its name.",
    "storm: no ritual yet, because the program in its pane has ended.",
  ]);
  expectPrompts(world, { glacier: [], storm: [] });
  expect(given().at(-1)).toBe("overlord");
});

it("an unknown question is reported in its own words, once for all panes that show it, and status says which roles need the person", async ({
  expect,
}) => {
  const asking = Object.fromEntries(ROLES.map((role) => [role, { asks: "auto" }]));
  await using world = makeZellijWorld(makePlan(asking));
  const terminal = world.ovldOnTerminal("summon", "--detached");
  const words = "its pane asks: “Make auto mode your default permission mode?”";
  await expect.poll(() => oneLine(terminal.output()), soon).toContain(words);
  const told = oneLine(terminal.output());
  expect(told).toContain(
    `overlord, strategist, inferno, glacier, shadow, storm: the ritual has to wait, because ${words}. Attach to it with: ovld summon --army overlord`,
  );
  expect(told.split(words)).toHaveLength(2);
  const { stdout } = await world.ovld("status");
  expect(stdout).toContain("storm has no ritual yet: its pane asks: “Make auto mode");
  expect(stdout).not.toContain("Nothing needs you");
  // Summon no longer waits for it, and it still follows.
  terminal.pty.kill("SIGINT");
  expect(await terminal.exited).toBe(130);
  for (const role of ROLES) await world.pane(role).type("y");
  await expect.poll(() => ROLES.filter((role) => world.prompts(role).length > 0), soon).toEqual(ROLES);
  expectPrompts(world);
  await expect.poll(async () => (await world.ovld("status")).stdout, soon).toContain("Nothing needs you");
});

it("nothing is added to a draft in a composer; the ritual follows when the draft is gone", async ({
  expect,
}) => {
  await using world = makeZellijWorld(makePlan({ storm: { drafts: "half a th" } }));
  const giving = world.ovld("summon", "--detached");
  await expect.poll(() => world.prompts("shadow"), soon).toHaveLength(1);
  await expect
    .poll(async () => (await world.ovld("status")).stdout, soon)
    .toContain("storm has no ritual yet");
  expect(world.typed("storm")).toBe("");
  await world.pane("storm").type("\r");
  expect(await giving).toMatchObject({ code: 0 });
  expectPrompts(world, { storm: ["half a th", packagedRitual("storm").trim()] });
});

it("an agent that is restarted in its pane gets its ritual as at the start, and its mail after that", async ({
  expect,
}) => {
  await using world = makeZellijWorld();
  expect(await world.ovld("summon", "--detached")).toMatchObject({ code: 0 });
  const { pid } = (await world.recordings()).get("storm") ?? { pid: 0 };
  process.kill(pid, "SIGKILL");
  const isHeld = async (): Promise<boolean> =>
    (await world.panes()).find(({ title }) => title === "storm")?.is_held === true;
  await expect.poll(isHeld, soon).toBe(true);
  openMail(world.relayDir()).deliver({
    from: "human",
    to: "storm",
    subject: "order",
    body: "go",
    priority: "normal",
  });
  // In a pane whose program has ended, Enter runs it again.
  await world.pane("storm").type("\r");
  await expect.poll(() => world.prompts("storm").length, soon).toBeGreaterThanOrEqual(3);
  const [first, again, bell] = world.prompts("storm").map((prompt) => prompt.trim());
  expect([first, again]).toEqual([packagedRitual("storm").trim(), packagedRitual("storm").trim()]);
  expect(bell).toContain("[MESSAGE from human]");
});

it("SIGINT ends the waiting at once; the army is running, and the rituals follow by themselves, each once", async ({
  expect,
}) => {
  await using world = makeZellijWorld();
  const terminal = world.ovldOnTerminal("summon", "--detached");
  await expect.poll(() => ROLES.map((role) => world.typed(role)).join(""), soon).not.toBe("");
  terminal.pty.kill("SIGINT");
  const asked = Date.now();
  expect(await terminal.exited).toBe(130);
  expect(Date.now() - asked).toBeLessThan(10_000);
  expect(terminal.output()).toContain("Each of these roles gets its ritual as soon as its agent is ready");
  await expect.poll(() => ROLES.filter((role) => world.prompts(role).length > 0), soon).toEqual(ROLES);
  expectPrompts(world);
});

it("two panes whose titles were swapped still each get their own agent's ritual", async ({ expect }) => {
  await using world = makeZellijWorld();
  await world.ovld("summon", "--detached", "--no-rituals");
  await world.recordings();
  const [glacier, shadow] = [world.pane("glacier"), world.pane("shadow")];
  await glacier.act("rename-pane", "x");
  await shadow.act("rename-pane", "glacier");
  await glacier.act("rename-pane", "shadow");
  expect(await world.ovld("rituals", "give", "glacier", "shadow")).toMatchObject({ code: 0 });
  expectPrompts(world, { overlord: [], strategist: [], inferno: [], storm: [] });
});

it("killing the session ends the waiting, and summon says so", async ({ expect }) => {
  await using world = makeZellijWorld();
  const summoning = world.ovld("summon", "--detached");
  await expect.poll(() => ROLES.map((role) => world.typed(role)).join(""), soon).not.toBe("");
  await world.zellij("kill-session", "overlord");
  const { code, stderr } = await summoning;
  expect(code).toBe(1);
  expect(stderr).toMatch(/storm.*: no ritual yet, because its Zellij session is gone\./);
});

/** What a terminal shows, without line ends. */
function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ");
}
