import { execFileSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { done, joinCampHub, makeHubWorld, startCampHub, SUMMON_CAMP } from "../support/hub-worlds.ts";
import type { LinkProxy } from "../support/link-proxy.ts";
import { OVLD } from "../support/ovld.ts";
import { runCommand } from "../support/run-command.ts";
import { commit, gitAs, write } from "../support/work.ts";
import type { ZellijWorld } from "../support/zellij.ts";

const LONG = { timeout: 150_000, interval: 500 };
const TEST_MS = 400_000;
const ARMY = ["--army", "camp"];

interface Machines extends AsyncDisposable {
  a: ZellijWorld;
  b: ZellijWorld;
  link: LinkProxy;
}

/** Two machines with a clone each; b has these roles. */
async function openMachines(check: string, script: object, roles: [string, ...string[]]): Promise<Machines> {
  const a = makeHubWorld(script);
  const b = makeHubWorld(script);
  gitAs(a.project, "init", "-q", "-b", "main");
  commit(a.project, { "a.txt": "one\n" });
  rmSync(b.project, { recursive: true });
  execFileSync("git", ["clone", "-q", "--no-local", a.project, b.project]);
  const [name, mail] = ["Ann", "ann@example.org"];
  for (const { sandbox, project } of [a, b]) {
    write(join(sandbox.home, ".config/ovld"), { "config.toml": `[trees]\ncheck = "${check}"\n` });
    gitAs(project, "config", "user.name", name);
    gitAs(project, "config", "user.email", mail);
  }
  const link = await joinCampHub(a, await startCampHub(a), b, ["b", ...roles]);
  await done(a, ...SUMMON_CAMP, "--trees");
  // Its relay answers a moment later.
  const ask = () => done(b, ...SUMMON_CAMP, "--trees", "--dry-run");
  await expect.poll(ask, LONG).not.toContain("without trees");
  await done(b, ...SUMMON_CAMP, "--trees");
  const close = async (): Promise<void> => {
    await b[Symbol.asyncDispose]();
    await a[Symbol.asyncDispose]();
  };
  return { a, b, link, [Symbol.asyncDispose]: close };
}

async function tasksOf(
  world: ZellijWorld,
): Promise<{ id: string; state: string; owner?: string; tries: object[] }[]> {
  return JSON.parse(await done(world, "task", "list", "--all", "--json", ...ARMY)).tasks;
}

it(
  "generals on another machine take tasks, commit and hand in; a conflict and a red check come back to them, and all lands",
  async () => {
    await using machines = await openMachines("! grep -rq UNFINISHED *.txt", {}, ["inferno", "shadow"]);
    const { a, b } = machines;
    await done(a, "send", "overlord", "A castle", ...ARMY);
    const states = async () => (await tasksOf(a)).map(({ state }) => state);
    await expect.poll(states, LONG).toEqual(["landed", "landed", "landed", "landed"]);
    const tasks = await tasksOf(a);
    const triesOf = (role: string) => tasks.find(({ owner }) => owner === role)?.tries;
    expect(triesOf("shadow")).toMatchObject([{ outcome: { is: "red" } }, { outcome: { is: "landed" } }]);
    expect(new Set(tasks.map(({ owner }) => owner))).toEqual(
      new Set(["glacier", "inferno", "shadow", "storm"]),
    );
    const tip = gitAs(a.project, "rev-parse", "ovld/camp");
    await expect.poll(() => gitAs(b.project, "rev-parse", "ovld/camp"), LONG).toBe(tip);
    await expect
      .poll(() => tasksOf(b).then((all) => all.map(({ state }) => state)), LONG)
      .toEqual(await states());
    const ended = await done(b, "unsummon", "--yes", ...ARMY);
    expect(ended).not.toContain("has not landed");
    expect(gitAs(b.project, "worktree", "list").split("\n")).toHaveLength(1);
    expect(gitAs(b.project, "branch", "--list", "ovld-camp/*")).toBe("");
  },
  TEST_MS,
);

it(
  "while the hub is away, what a general hands in is kept on its machine, and it lands when the hub is back",
  async () => {
    // The practice agents leave the task to the commands below.
    await using machines = await openMachines("true", { workMs: 600_000 }, ["inferno"]);
    const { a, b, link } = machines;
    const as = (world: ZellijWorld, role: string, ...args: string[]) =>
      runCommand(world.sandbox, [process.execPath, OVLD, "task", ...args, ...ARMY], {
        env: { ...world.env, OVLD_ROLE: role },
        cwd: world.project,
      });
    const add = () => as(a, "strategist", "add", "Write two", "In a.txt", "--to", "inferno");
    await expect.poll(add, LONG).toMatchObject({ code: 0 });
    await expect.poll(() => tasksOf(b), LONG).toMatchObject([{ id: "T1" }]);
    const taken = await as(b, "inferno", "take", "T1");
    expect(taken).toMatchObject({ code: 0, stdout: expect.stringContaining("In a.txt") });
    expect(await tasksOf(a)).toMatchObject([{ state: "taken", owner: "inferno" }]);
    const [, tree = ""] = /Work in (\S+),/.exec(taken.stdout) ?? [];
    commit(tree, { "a.txt": "two\n" });
    link.set("cut");
    const kept = await as(b, "inferno", "done");
    expect(kept).toMatchObject({ code: 0, stdout: expect.stringContaining("kept on this machine") });
    expect(await as(b, "inferno", "take", "T2")).toMatchObject({
      code: 4,
      stderr: expect.stringContaining("answer"),
    });
    for (const command of [
      ["add", "More"],
      ["return", "T1", "no"],
    ])
      expect(await as(b, "inferno", ...command)).toMatchObject({
        code: 4,
        stderr: expect.stringContaining("copy"),
      });
    expect(await b.ovld("land", ...ARMY)).toMatchObject({ code: 4, stderr: expect.stringContaining("copy") });
    expect(await tasksOf(a)).toMatchObject([{ state: "taken" }]);
    expect(await tasksOf(b)).toMatchObject([{ state: "ready" }]);
    link.set("open");
    await expect.poll(() => tasksOf(a), LONG).toMatchObject([{ state: "landed", tries: [{ number: 1 }] }]);
    expect(gitAs(a.project, "show", "ovld/camp:a.txt")).toBe("two");
    await done(a, "land", ...ARMY);
    expect(readFileSync(join(a.project, "a.txt"), "utf8")).toBe("two\n");
  },
  TEST_MS,
);
