import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import { ROLES, type Role } from "../../src/army/roles.ts";
import { openMail } from "../../src/mail/mail.ts";
import { injectRituals } from "../../src/rituals/inject-rituals.ts";
import { makeZellijWorld, type ZellijWorld } from "../support/zellij.ts";

const soon = { timeout: 45_000, interval: 100 };

function packaged(role: Role): string {
  return readFileSync(join(process.cwd(), "rituals", `${role}.md`), "utf8");
}

/** Every role's text and Enter, and nothing else, except where a role is said to have something else. */
function expectTyped(world: ZellijWorld, exceptions: Partial<Record<Role, string>> = {}): void {
  for (const role of ROLES) expect(world.typed(role)).toBe(exceptions[role] ?? `${packaged(role)}\r`);
}

function makePlan(oddities: Partial<Record<Role, object>>): { RECORDER_PLAN: string } {
  return { RECORDER_PLAN: JSON.stringify(oddities) };
}

function ritualsIn(world: ZellijWorld): { role: Role; outcome: string }[] {
  const lines = readFileSync(join(world.relayDir(), "journal.jsonl"), "utf8").trim().split("\n");
  return lines
    .map((line) => JSON.parse(line))
    .filter(({ event }) => event === "ritual")
    .map(({ role, outcome, why }) => ({ role, outcome, ...(why !== undefined && { why }) }));
}

function byRole(one: { role: Role }, other: { role: Role }): number {
  return ROLES.indexOf(one.role) - ROLES.indexOf(other.role);
}

it("R4.1 R4.2 R5.1 R5.2 DG5 each of six agents is typed its own ritual and an Enter, once, and not in haste", async () => {
  await using world = makeZellijWorld();
  expect(await world.ovld("summon", "--detached")).toMatchObject({ code: 0, stderr: "" });
  expectTyped(world);
  const times = ROLES.map((role) => {
    const keystrokes = world.keystrokes(role);
    return { text: keystrokes[0]?.at ?? 0, enter: keystrokes.findLast(({ enter }) => enter)?.at ?? 0 };
  }).toSorted((one, other) => one.text - other.text);
  for (const { text, enter } of times) expect(enter - text).toBeGreaterThanOrEqual(200);
  const between = times.slice(1).map(({ text }, index) => text - (times[index]?.enter ?? text));
  expect(Math.min(...between)).toBeGreaterThanOrEqual(1500);
  const shadow = (await world.panes()).find(({ title }) => title === "shadow");
  const calls = world.calls().join("\n");
  expect(calls).toContain(
    `--session overlord action write-chars --pane-id terminal_${shadow.id} -- ${packaged("shadow")}`,
  );
  expect(ritualsIn(world).toSorted(byRole)).toEqual(
    ROLES.map((role) => ({ role, outcome: "given" })).toSorted(byRole),
  );
});

it("agents that are all ready are served in marching order", async () => {
  await using world = makeZellijWorld();
  await world.ovld("summon", "--detached", "--no-rituals");
  await world.recordings();
  expect(await world.ovld("ritual")).toMatchObject({ code: 0, stderr: "" });
  expectTyped(world);
  expect(ritualsIn(world)).toEqual(ROLES.map((role) => ({ role, outcome: "given" })));
});

it("first use fills the person's folder; a rituals folder of the project is not used unless asked for", async () => {
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
  for (const role of ROLES) expect(world.typed(role)).toBe(`I am ${role} of the project.\r`);
  await world.ovld("unsummon", "--force");
  expect(existsSync(mine)).toBe(false);
  await world.ovld("summon", "--detached", "--no-rituals");
  expect(existsSync(mine)).toBe(false);
});

it("R1.2 whatever is wrong with the rituals is told with all other problems, exit 4, before there is a session", async () => {
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
    `${folder}/storm.md has`,
  ])
    expect(stderr).toContain(problem);
  expect(await world.sessions()).toBe("");
  expect(existsSync(join(world.sandbox.home, ".config"))).toBe(false);
});

it("R6.1 with --no-rituals the session is made and nothing is typed; ovld ritual gives one later", async () => {
  await using world = makeZellijWorld();
  expect(await world.ovld("summon", "--detached", "--no-rituals")).toMatchObject({ code: 0 });
  await world.recordings();
  expect(existsSync(join(world.relayDir(), "rituals"))).toBe(false);
  expect(await world.ovld("ritual", "storm", "overlord")).toMatchObject({
    code: 0,
    stdout: "The ritual was given to overlord, storm.\n",
    stderr: "",
  });
  expectTyped(world, { strategist: "", inferno: "", glacier: "", shadow: "" });
  expect(readdirSync(join(world.relayDir(), "rituals")).toSorted()).toEqual(["overlord.md", "storm.md"]);
});

it("an army keeps the rituals it was given beside its mail, and unsummon removes them", async () => {
  await using world = makeZellijWorld();
  await world.ovld("summon", "--detached");
  for (const role of ROLES)
    expect(readFileSync(join(world.relayDir(), "rituals", `${role}.md`), "utf8")).toBe(packaged(role));
  const { stdout } = await world.ovld("unsummon", "--force");
  expect(stdout).not.toContain("Left alone");
  expect(existsSync(world.relayDir())).toBe(false);
});

it("ovld ritual without such a session ends with 3, with a wrong word with 2", async () => {
  await using world = makeZellijWorld();
  expect(await world.ovld("ritual", "--session", "nobody")).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("no army called nobody"),
  });
  // The mail of an army whose machine went down is there, its session is not.
  openMail(world.relayDir("gone")).init();
  expect((await world.ovld("ritual", "--session", "gone")).code).toBe(3);
  expect(await world.ovld("ritual", "king")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('"king" is no role'),
  });
});

it("DR3 an Enter that was not heard is given once more, and the text is not typed again", async () => {
  await using world = makeZellijWorld(makePlan({ strategist: { deaf: true } }));
  expect(await world.ovld("summon", "--detached")).toMatchObject({ code: 0, stderr: "" });
  expectTyped(world, { strategist: `${packaged("strategist")}\r\r` });
});

it("a slow agent, one that ended and a pane that was closed are told of clearly, and the others are served", async () => {
  await using world = makeZellijWorld(
    makePlan({ overlord: { slow: 8_000 }, glacier: { slow: 600_000 }, storm: { exits: true } }),
  );
  const summoning = world.ovld("summon", "--detached");
  await expect.poll(() => world.typed("strategist"), soon).not.toBe("");
  const glacier = (await world.panes()).find(({ title }) => title === "glacier");
  await world.zellij("--session", "overlord", "action", "close-pane", "--pane-id", `terminal_${glacier.id}`);
  const { code, stderr } = await summoning;
  expect(code).toBe(1);
  expect(stderr.trim().split("\n").toSorted()).toEqual([
    "Give it later with: ovld ritual glacier storm --session overlord",
    "glacier has not been given its ritual: it has no pane.",
    "storm has not been given its ritual: its agent has ended; its pane shows why.",
  ]);
  expectTyped(world, { glacier: "", storm: "" });
  const order = ritualsIn(world).map(({ role, outcome }) => `${role} ${outcome}`);
  expect(order.indexOf("overlord given")).toBeGreaterThan(order.indexOf("shadow given"));
}, 90_000);

it("DR2 nothing is typed into a question; the person is told at once, and the ritual follows the answer", async () => {
  await using world = makeZellijWorld(makePlan({ inferno: { asks: true } }));
  const terminal = world.ovldOnTerminal("summon", "--detached");
  await expect
    .poll(terminal.output, soon)
    .toContain("inferno waits with its ritual: its pane asks whether to trust the folder.");
  await expect.poll(() => world.typed("storm"), soon).toContain("\r");
  expect(world.typed("inferno")).toBe("");
  const inferno = (await world.panes()).find(({ title }) => title === "inferno");
  const pane = ["--pane-id", `terminal_${inferno.id}`];
  await world.zellij("--session", "overlord", "action", "write-chars", ...pane, "y");
  expect(await terminal.exited).toBe(0);
  expectTyped(world, { inferno: `y${packaged("inferno")}\r` });
});

it("who is not ready in time goes without: reported and noted with what it waits for, and nothing was typed", async () => {
  await using world = makeZellijWorld(makePlan({ inferno: { asks: true }, storm: { slow: 600_000 } }));
  await world.ovld("summon", "--detached", "--no-rituals");
  const mail = openMail(world.relayDir());
  await expect.poll(() => mail.presences(), soon).toHaveLength(4);
  const results = await injectRituals({
    zellij: { program: process.env["OVLD_TEST_ZELLIJ"] ?? "zellij", env: world.env },
    session: "overlord",
    mail,
    texts: new Map(ROLES.map((role) => [role, packaged(role)])),
    focus: true,
    patienceMs: 3_000,
    stop: new AbortController().signal,
  });
  const expected = ROLES.map((role) => ({ role, outcome: "given" }));
  expect(results).toEqual([
    ...expected.slice(0, 2),
    { role: "inferno", outcome: "not-ready", why: "trust" },
    ...expected.slice(3, 5),
    { role: "storm", outcome: "not-ready", why: "starting" },
  ]);
  expect(ritualsIn(world)).toEqual(expect.arrayContaining(results));
  expectTyped(world, { inferno: "", storm: "" });
});

it("a draft in a composer is not added to; the ritual follows when it is gone", async () => {
  await using world = makeZellijWorld();
  await world.ovld("summon", "--detached", "--no-rituals");
  await world.recordings();
  const storm = (await world.panes()).find(({ title }) => title === "storm");
  const type = (text: string): Promise<unknown> =>
    world.zellij("--session", "overlord", "action", "write-chars", "--pane-id", `terminal_${storm.id}`, text);
  await type("half a th");
  const giving = world.ovld("ritual");
  await expect.poll(() => world.typed("shadow"), soon).toContain("\r");
  await pause(1_500);
  expect(world.typed("storm")).toBe("half a th");
  await type("\r");
  expect(await giving).toMatchObject({ code: 0 });
  expectTyped(world, { storm: `half a th\r${packaged("storm")}\r` });
});

it("SIGINT ends the giving at once; the army is up, whole, and the rest can be given later", async () => {
  await using world = makeZellijWorld();
  const terminal = world.ovldOnTerminal("summon", "--detached");
  await expect.poll(() => world.typed("strategist"), soon).not.toBe("");
  terminal.pty.kill("SIGINT");
  const asked = Date.now();
  expect(await terminal.exited).toBe(130);
  expect(Date.now() - asked).toBeLessThan(3_000);
  expect(terminal.output()).toContain("storm has not been given its ritual: it was interrupted before.");
  expect(await world.panes()).toHaveLength(6);
  for (const role of ["inferno", "glacier", "shadow", "storm"] as const) expect(world.typed(role)).toBe("");
  // What had been begun was brought to its end.
  expect(world.typed("strategist")).toBe(`${packaged("strategist")}\r`);
  expect(await world.ovld("ritual", "inferno")).toMatchObject({ code: 0 });
  expect(world.typed("inferno")).toBe(`${packaged("inferno")}\r`);
});

it("a session that is killed ends the giving, and summon says so", async () => {
  await using world = makeZellijWorld();
  const summoning = world.ovld("summon", "--detached");
  await expect.poll(() => world.typed("overlord"), soon).not.toBe("");
  await world.zellij("kill-session", "overlord");
  const { code, stderr } = await summoning;
  expect(code).toBe(1);
  expect(stderr).toContain("storm has not been given its ritual: the session is gone.");
});
