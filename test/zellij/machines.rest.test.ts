import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import { openMail } from "../../src/mail/mail.ts";
import { done, joinCampHub, makeHubWorld, startCampHub, SUMMON_CAMP } from "../support/hub-worlds.ts";
import { commit, gitAs } from "../support/work.ts";
import type { ZellijWorld } from "../support/zellij.ts";

const CAMPAIGN_MS = 120_000;

it(
  "a campaign on three machines has the same eleven messages and outcome, and nothing of it is left",
  async () => {
    await using world = makeHubWorld();
    const { code, stdout, stderr } = await world.ovld("practice", "A castle", "--machines", "3", "--json");
    expect({ code, stderr, stdout }).toMatchObject({ code: 0, stderr: "" });
    const { fulfilled, messages, report, missing } = JSON.parse(stdout);
    expect({ fulfilled, missing }).toEqual({ fulfilled: true, missing: [] });
    expect(report).toContain("All four have reported");
    expect(messages).toHaveLength(11);
    const sent = messages.map(({ from, to }: { from: string; to: string }) => `${from} ${to}`);
    expect(sent.toSorted()).toEqual(
      [
        "human overlord",
        "overlord strategist",
        ...["inferno", "glacier", "shadow", "storm"].flatMap((each) => [
          `strategist ${each}`,
          `${each} strategist`,
        ]),
        "strategist overlord",
      ].toSorted(),
    );
    expect(readdirSync(world.sandbox.root).filter((name) => name.startsWith("ovld-"))).toEqual([]);
    expect(processesNaming(world.sandbox.root)).toEqual([]);
  },
  2 * CAMPAIGN_MS,
);

async function panesOf(world: ZellijWorld): Promise<string[]> {
  const panes = await world.panes("camp");
  return panes.map(({ tab_name: tab, title }) => `${tab} ${title}`);
}

const isLeft = (world: ZellijWorld): boolean => existsSync(world.relayDir("camp"));

it(
  "each machine opens its own roles; one that is cut off for ten seconds catches up, and --everywhere ends all",
  async () => {
    await using a = makeHubWorld({ workMs: 400 });
    await using b = makeHubWorld({ workMs: 400 });
    await using c = makeHubWorld({ workMs: 400 });
    const port = await startCampHub(a);
    const links = {
      b: await joinCampHub(a, port, b, ["b", "inferno"]),
      c: await joinCampHub(a, port, c, ["c", "glacier", "shadow", "storm"]),
    };
    // While the hub cannot be reached, the person is told, and the army opens all the same.
    links.b.set("cut");
    const alone = await b.ovld(...SUMMON_CAMP);
    expect(alone).toMatchObject({ code: 0, stderr: expect.stringContaining("does not answer") });
    expect(alone.stdout).toContain("This machine (b) has: inferno.");
    links.b.set("open");
    await Promise.all([done(a, ...SUMMON_CAMP), done(c, ...SUMMON_CAMP)]);
    expect(await panesOf(b)).toEqual(["battlefield inferno"]);
    expect(await panesOf(c)).toEqual(["support glacier", "support shadow", "support storm"]);
    const mail = openMail(a.relayDir("camp"));
    const away = () => [mail.away("inferno")?.machine, mail.away("storm")?.machine];
    await expect.poll(away).toEqual(["b", "c"]);
    // A copy of its keys on another machine is refused with its name.
    await using copy = makeHubWorld();
    const joined = ".config/ovld/joined";
    const keys = JSON.parse(readFileSync(join(b.sandbox.home, joined, "camp.json"), "utf8"));
    mkdirSync(join(copy.sandbox.home, joined), { recursive: true });
    const copied = JSON.stringify({ ...keys, instance: "copy" });
    writeFileSync(join(copy.sandbox.home, joined, "camp.json"), copied, { mode: 0o600 });
    expect(await copy.ovld(...SUMMON_CAMP)).toMatchObject({
      code: 5,
      stderr: expect.stringContaining("inferno is already on another machine: b ("),
    });
    await done(a, "send", "overlord", "A castle", "--session", "camp");
    const told = (event: string) => [...mail.journal().next()].filter((entry) => entry.event === event);
    // The generals are at work.
    await expect.poll(() => told("stored").length).toBeGreaterThan(3);
    links.c.set("cut");
    await pause(10_000);
    const status = JSON.parse(await done(a, "status", "--session", "camp", "--json"));
    expect(status.machines.machines.map(({ machine }: { machine: string }) => machine).slice(1)).toEqual([
      "b",
      "c",
    ]);
    links.c.set("open");
    await expect.poll(() => told("read").length, { timeout: 120_000 }).toBe(11);
    // What the overlord writes to the person comes on top.
    expect(told("stored").filter((entry) => "to" in entry && entry.to !== "human")).toHaveLength(11);
    await expect
      .poll(() => told("status").findLast((entry) => "role" in entry && entry.role === "overlord"))
      .toMatchObject({ status: "done", task: expect.stringContaining("All four have reported") });
    expect(await done(c, "log", "--session", "camp")).toMatch(/waiting +overlord → strategist .*\(/);
    expect(await done(a, "status", "--session", "camp")).toMatch(/inferno +.* on b/);
    await done(a, "unsummon", "--session", "camp", "--yes", "--everywhere");
    await expect.poll(() => Promise.all([a, b, c].map((each) => each.sessions()))).toEqual(["", "", ""]);
    await expect.poll(() => [a, b, c].map(isLeft)).toEqual([false, false, false]);
  },
  3 * CAMPAIGN_MS,
);

/** The command lines of processes that have to do with this folder. */
function processesNaming(folder: string): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
      } catch {
        return "";
      }
    })
    .filter((line) => line.includes(`${folder}/ovld-`));
}

function treesOf({ project }: ZellijWorld): string[] {
  return [...gitAs(project, "worktree", "list").matchAll(/ovld-camp-(\w+)/g)].map(([, role = ""]) => role);
}

it(
  "a machine whose clone lacks the base, or that nobody answers, works without trees, and its summon says why",
  async () => {
    await using a = makeHubWorld();
    await using b = makeHubWorld();
    for (const { project } of [a, b]) {
      gitAs(project, "init", "-q", "-b", "main");
      commit(project, { "a.txt": project });
    }
    const port = await startCampHub(a);
    await joinCampHub(a, port, b, ["b", "shadow", "storm"]);
    expect(await done(b, ...SUMMON_CAMP, "--trees", "--dry-run")).toContain("does not answer");
    expect(await done(a, ...SUMMON_CAMP, "--trees")).toContain("shadow, storm");
    // Its relay answers a moment later.
    const ask = () => done(b, ...SUMMON_CAMP, "--trees", "--dry-run");
    await expect.poll(ask, { timeout: 60_000 }).toContain("lacks the commit");
    expect(await done(b, ...SUMMON_CAMP, "--trees")).toContain("without trees");
    expect(treesOf(a)).toEqual(["glacier", "inferno", "strategist"]);
    expect(treesOf(b)).toEqual([]);
    const add = (to: string) => a.ovld("task", "add", "Work", "--to", to, "--army", "camp");
    expect(await add("storm")).toMatchObject({ code: 4, stderr: expect.stringContaining("by mail") });
    expect(await add("inferno")).toMatchObject({ code: 0, stdout: "T1\n" });
    await done(a, "unsummon", "--army", "camp", "--yes", "--everywhere");
  },
  CAMPAIGN_MS,
);
