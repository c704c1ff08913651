import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROLES, type Role } from "../../src/army/roles.ts";
import { openMail } from "../../src/mail/mail.ts";
import { readLines } from "../support/read-lines.ts";
import { makeZellijWorld, type ZellijWorld } from "../support/zellij.ts";
import { soon } from "../support/wait-until.ts";

/** Side by side, because these armies mostly pause. */
const it = test.concurrent;

function packaged(role: Role): string {
  return readFileSync(join(process.cwd(), "rituals", `${role}.md`), "utf8");
}

/** Every role was sent its ritual and nothing else, apart from the given exceptions. */
function expectPrompts(world: ZellijWorld, exceptions: Partial<Record<Role, string[]>> = {}): void {
  for (const role of ROLES) {
    const sent = world.prompts(role).map((prompt) => prompt.trim());
    expect([role, sent]).toEqual([role, exceptions[role] ?? [packaged(role).trim()]]);
  }
}

function makePlan(oddities: Partial<Record<Role, object>>): { RECORDER_PLAN: string } {
  return { RECORDER_PLAN: JSON.stringify(oddities) };
}

function ritualsIn(world: ZellijWorld): { role: Role; outcome: string }[] {
  return readLines(join(world.relayDir(), "journal.jsonl"))
    .filter(({ event }) => event === "ritual")
    .map(({ role, outcome, why }) => ({ role, outcome, ...(why !== undefined && { why }) }));
}

function byRole(one: { role: Role }, other: { role: Role }): number {
  return ROLES.indexOf(one.role) - ROLES.indexOf(other.role);
}

it("R4.1 R4.2 R5.1 R5.2 DG5 each of six agents is typed its own ritual and an Enter, once, with the pauses", async ({
  expect,
}) => {
  await using world = makeZellijWorld();
  expect(await world.ovld("summon", "--detached")).toMatchObject({ code: 0, stderr: "" });
  expectPrompts(world);
  const times = ROLES.map((role) => {
    const keystrokes = world.keystrokes(role);
    return { text: keystrokes[0]?.at ?? 0, enter: keystrokes.findLast(({ enter }) => enter)?.at ?? 0 };
  }).toSorted((one, other) => one.text - other.text);
  for (const { text, enter } of times) expect(enter - text).toBeGreaterThanOrEqual(200);
  const between = times.slice(1).map(({ text }, index) => text - (times[index]?.enter ?? text));
  expect(Math.min(...between)).toBeGreaterThanOrEqual(1500);
  const shadow = await world.pane("shadow").id();
  const calls = world.calls().join("\n");
  expect(calls).toContain(
    `--session overlord action write-chars --pane-id ${shadow} -- \u001b[200~${packaged("shadow")}`,
  );
  expect(ritualsIn(world).toSorted(byRole)).toEqual(
    ROLES.map((role) => ({ role, outcome: "given" })).toSorted(byRole),
  );
});

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

it("R1.2 problems with the rituals are reported with all other problems, exit 4, before there is a session", async ({
  expect,
}) => {
  await using world = makeZellijWorld();
  rmSync(join(world.sandbox.root, "bin/claude"));
  const folder = join(world.sandbox.root, "mine");
  mkdirSync(folder);
  for (const role of ROLES) writeFileSync(join(folder, `${role}.md`), `I am ${role}.`);
  rmSync(join(folder, "shadow.md"));
  writeFileSync(join(folder, "storm.md"), "\u001b[31mred");
  const { code, stderr } = await world.ovld("summon", "--detached", "--rituals", folder);
  expect(code).toBe(4);
  for (const problem of [
    "claude was not found",
    `${folder}/shadow.md does not exist`,
    `${folder}/storm.md contains control characters`,
  ])
    expect(stderr).toContain(problem);
  expect(await world.sessions()).toBe("");
  expect(existsSync(join(world.sandbox.home, ".config"))).toBe(false);
});

it("R6.1 with --no-rituals the session is created and nothing is typed; ovld ritual gives one later", async ({
  expect,
}) => {
  await using world = makeZellijWorld();
  expect(await world.ovld("summon", "--detached", "--no-rituals")).toMatchObject({ code: 0 });
  await world.recordings();
  expect(existsSync(join(world.relayDir(), "rituals"))).toBe(false);
  expect(await world.ovld("ritual", "storm", "overlord")).toMatchObject({
    code: 0,
    stdout: "The ritual was given to overlord, storm.\n",
    stderr: "",
  });
  expectPrompts(world, { strategist: [], inferno: [], glacier: [], shadow: [] });
  const kept = readdirSync(join(world.relayDir(), "rituals")).filter((name) => name.endsWith(".md"));
  expect(kept.toSorted()).toEqual(["overlord.md", "storm.md"]);
});

it("an army keeps its rituals next to its mail, and unsummon removes them", async ({ expect }) => {
  await using world = makeZellijWorld();
  await world.ovld("summon", "--detached");
  for (const role of ROLES)
    expect(readFileSync(join(world.relayDir(), "rituals", `${role}.md`), "utf8")).toBe(packaged(role));
  const { stdout } = await world.ovld("unsummon", "--yes");
  expect(stdout).not.toContain("Left alone");
  expect(existsSync(world.relayDir())).toBe(false);
});

it("ovld ritual exits with 3 if there is no such session, with 2 for an unknown role", async ({ expect }) => {
  await using world = makeZellijWorld();
  expect(await world.ovld("ritual", "--session", "nobody")).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("no army called nobody"),
  });
  // The mail of an army that ended in a power cut exists, its session does not.
  openMail(world.relayDir("gone")).init();
  expect((await world.ovld("ritual", "--session", "gone")).code).toBe(3);
  expect(await world.ovld("ritual", "king")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('"king" is not a role'),
  });
});

it("DR3 an Enter that was not heard is pressed once more, and the text is not typed again", async ({
  expect,
}) => {
  await using world = makeZellijWorld(makePlan({ strategist: { deaf: true } }));
  expect(await world.ovld("summon", "--detached")).toMatchObject({ code: 0, stderr: "" });
  expectPrompts(world);
  expect(world.keystrokes("strategist").filter(({ enter }) => enter)).toHaveLength(2);
  expect(world.typed("strategist").split("\u001b[200~")).toHaveLength(2);
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
    expect.stringContaining("ovld ritual glacier storm --session overlord"),
    "glacier: no ritual yet, because no pane has its name.",
    "storm: no ritual yet, because the program in its pane has ended.",
  ]);
  expectPrompts(world, { glacier: [], storm: [] });
  expect(given().at(-1)).toBe("overlord");
});

it("DR2 nothing is typed into a question; the person is told at once, and the ritual follows the answer", async ({
  expect,
}) => {
  await using world = makeZellijWorld(makePlan({ inferno: { asks: "trust" } }));
  const terminal = world.ovldOnTerminal("summon", "--detached");
  await expect
    .poll(terminal.output, soon)
    .toContain("inferno: the ritual has to wait, because its pane asks whether to trust the folder.");
  await expect.poll(() => world.prompts("storm"), soon).toHaveLength(1);
  expect(world.typed("inferno")).toBe("");
  await world.pane("inferno").type("y");
  expect(await terminal.exited).toBe(0);
  expectPrompts(world);
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
    `overlord, strategist, inferno, glacier, shadow, storm: the ritual has to wait, because ${words}. Attach to it with: ovld summon --session overlord`,
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
  expectPrompts(world, { storm: ["half a th", packaged("storm").trim()] });
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
  expect([first, again]).toEqual([packaged("storm").trim(), packaged("storm").trim()]);
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
  expect(await world.ovld("ritual", "glacier", "shadow")).toMatchObject({ code: 0 });
  expectPrompts(world, { overlord: [], strategist: [], inferno: [], storm: [] });
});

it("killing the session ends the waiting, and summon says so", async ({ expect }) => {
  await using world = makeZellijWorld();
  const summoning = world.ovld("summon", "--detached");
  await expect.poll(() => ROLES.map((role) => world.typed(role)).join(""), soon).not.toBe("");
  await world.zellij("kill-session", "overlord");
  const { code, stderr } = await summoning;
  expect(code).toBe(1);
  expect(stderr).toMatch(/storm.*: no ritual yet, because the session is gone\./);
});

/** What a terminal shows, without line ends. */
function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ");
}
