import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openMail } from "../../src/mail/mail.ts";
import { endIfThrown } from "../support/sandbox.ts";
import { soon } from "../support/wait-until.ts";
import { makeZellijWorld, type ZellijWorld } from "../support/zellij.ts";

const PATIENCE = { timeout: 120_000, interval: 100 };

/** A running practice army whose agents also do what the script says. */
async function summonPractice(roles: object = {}): Promise<ZellijWorld & { file: (name: string) => string }> {
  const world = makeZellijWorld();
  const file = (name: string): string => join(world.sandbox.root, name);
  writeFileSync(
    file("script.json"),
    JSON.stringify({ workMs: 60, roles }).replaceAll("ROOT", world.sandbox.root),
  );
  Object.assign(world.env, { OVLD_PRACTICE_SCRIPT: file("script.json") });
  return endIfThrown(world, async () => {
    const { code, stderr } = await world.ovld("summon", "--agent", "practice", "--no-rituals", "--detached");
    expect([code, stderr]).toEqual([0, ""]);
    const mail = openMail(world.relayDir());
    await expect.poll(() => mail.agentReport("overlord")?.state, PATIENCE).toBe("idle");
    return Object.assign(world, { file });
  });
}

async function roleOf(world: ZellijWorld, role: string): Promise<any> {
  const { roles } = JSON.parse((await world.ovld("status", "--json")).stdout);
  return roles.find((each: { role: string }) => each.role === role);
}

it("mail wakes an idle agent although Zellij says once, when the bell is typed, that there is no such session", async () => {
  await using world = await summonPractice();
  const refused = world.file("refused");
  world.beforeZellij(
    `case "$*" in *write-chars*) [ -e '${refused}' ] || { : > '${refused}'; echo 'There is no active session!' >&2; exit 1; };; esac`,
  );
  await world.ovld("send", "overlord", "A castle");
  const read = (): string[] =>
    [...openMail(world.relayDir()).journal().next()].flatMap((entry) =>
      entry.event === "read" && entry.role === "overlord" ? [entry.id] : [],
    );
  await expect.poll(read, soon).not.toEqual([]);
  expect(existsSync(refused)).toBe(true);
});

it("a wish sent from the command line wakes the overlord, and its whole story is shown", async () => {
  await using world = await summonPractice();
  const sent = JSON.parse((await world.ovld("send", "overlord", "A castle", "--json")).stdout);
  expect(["rung", "begun", "taken"]).toContain(sent.bell);
  await expect.poll(async () => (await roleOf(world, "overlord")).status, PATIENCE).toBe("done");
  const { stdout } = await world.ovld("log", sent.id);
  expect(stdout).toContain("human → overlord: A castle");
  const events = stdout.match(/^\d\d:\d\d:\d\d {2}\w+/gm)?.map((line) => line.slice("00:00:00  ".length));
  expect(events?.[0]).toBe("waiting");
  expect(events).toEqual(expect.arrayContaining(["notified", "read"]));
  const all = (await world.ovld("log")).stdout;
  for (const general of ["inferno", "glacier", "shadow", "storm"]) {
    expect(all).toMatch(new RegExp(`waiting +strategist → ${general} `));
    expect(all).toMatch(new RegExp(`waiting +${general} → strategist `));
  }
  await expect
    .poll(async () => (await world.ovld("status")).stdout, PATIENCE)
    .toMatch(
      /^The army overlord is running\.\nIt runs practice agents in \S+\n[^]*Nothing needs you\.\n[^]+overlord +idle \(\d+s, \w+\) +– .+ command 0 +done: /,
    );
});

it("an agent that asks the person comes first, with what it asks and how to answer it, and mail for it is held", async () => {
  await using world = await summonPractice({
    inferno: {
      acts: [{ when: { file: "ROOT/ask" }, turn: [{ do: "ask", command: "rm x", ran: "ROOT/ran" }] }],
    },
  });
  writeFileSync(world.file("ask"), "");
  await expect.poll(async () => (await roleOf(world, "inferno")).agent.state, PATIENCE).toBe("asking");
  const { stdout } = await world.ovld("send", "inferno", "hurry");
  expect(stdout).toContain("inferno was not notified: it is asking");
  const board = (await world.ovld("status")).stdout.split("\n");
  expect(board[2]).toBe("Needs you:");
  expect(board[3]).toBe("  inferno is asking you: Bash: rm x  →  ovld answer inferno");
  expect(board.join("\n")).toMatch(/inferno +asking you \(\d+s, hook\) +1, for \d+s +held /);
});
