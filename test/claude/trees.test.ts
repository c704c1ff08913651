import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFailed } from "vitest";
import { idsNow, journalOf } from "../../bench/return/look-back.ts";
import { readRequest } from "../../bench/campaign/read-request.ts";
import { isRole, type Role } from "../../src/army/roles.ts";
import { makeClaudeArmy } from "../support/claude-army.ts";
import type { ModelRequest, ToolUse, Turn } from "../support/model.ts";
import { soon, waitUntil } from "../support/wait-until.ts";
import { commit, gitAs, write } from "../support/work.ts";

const TARGET = "ovld/overlord";
const CHECK = "sh check.sh";
/** The work of shadow is red at first; inferno and storm change one line, so the later one conflicts. */
const PARTS: Partial<Record<Role, string>> = {
  inferno: "fire",
  glacier: "ice",
  shadow: "BROKEN",
  storm: "wind",
};
const ADD = Object.keys(PARTS).map((role) =>
  bash(`ovld task add "The part of ${role}" "Write parts/${role}.txt" --to ${role}`),
);
/** Only what the person's local settings, or ovld's own rules, allow is run without a dialog. */
const LOCAL_SETTINGS = { permissions: { allow: ["Write", "Bash(git config *)", "Bash(command -v *)"] } };

function bash(command: string): ToolUse {
  return { tool: "Bash", input: { command, description: "works" } };
}

function send(to: Role, body: string): ToolUse {
  return { tool: "mcp__ovld-relay__send_message", input: { to, subject: "the wish", body } };
}

/** The model of all six: it does what its role has to do next, whichever way the mail comes. */
function createPlayers(treeOf: (role: Role) => string, allTaken: () => Promise<void>) {
  const steps = new Map<Role, ToolUse[]>();
  const results = new Map<Role, string[]>();
  const writing = (role: Role, part: string): ToolUse[] => [
    { tool: "Write", input: { file_path: join(treeOf(role), `parts/${role}.txt`), content: `${part}\n` } },
    bash(`git add -A && git commit -m "The part of ${role}"`),
    bash("ovld task done"),
  ];
  /** What a request tells the role to do. */
  const toDo = (role: Role, last: string): ToolUse[] => {
    if (last.includes("Call check_inbox")) return [{ tool: "mcp__ovld-relay__check_inbox", input: {} }];
    if (role === "overlord") return last.includes("I wish for") ? [send("strategist", "Four parts.")] : [];
    if (last.includes("Where are you?")) return [bash("pwd")];
    if (role === "strategist" && last.includes("Four parts.")) return ADD;
    if (role === "strategist" && last.includes("nothing is left"))
      return [send("overlord", "All four have landed.")];
    const [, taken] = /Take it with: (ovld task take T\d+)/.exec(last) ?? [];
    if (taken !== undefined)
      return [
        bash(taken),
        bash("command -v ovld"),
        bash("git config core.fsync"),
        bash("cat .env"),
        ...(role === "inferno" || role === "storm" ? [list(role)] : []),
        ...writing(role, PARTS[role] ?? ""),
      ];
    const [, again, merge] = /Next: (ovld task take T\d+)( && git merge \S+)?,/.exec(last) ?? [];
    if (again === undefined) return [];
    return [bash(again), bash(`git merge ${TARGET}`), ...(merge ? mend(role) : [])];
  };
  const list = (role: Role, text = `${role}\n`): ToolUse => ({
    tool: "Write",
    input: { file_path: join(treeOf(role), "list.txt"), content: text },
  });
  const mend = (role: Role): ToolUse[] => [
    ...(role === "shadow" ? [] : [list(role, "inferno and storm\n")]),
    ...writing(role, role === "shadow" ? "dark" : `${PARTS[role]} again`),
  ];
  return {
    results,
    script: async (request: ModelRequest): Promise<Turn> => {
      const { role } = readRequest(request.messages);
      // Claude Code asks its model other things, too.
      if (role === undefined || !request.tools.includes("mcp__ovld-relay__check_inbox")) return "fine";
      results.set(role, request.toolResults);
      const queue = [...(steps.get(role) ?? []), ...toDo(role, request.last)];
      const next = role === "strategist" && queue.length > 1 ? queue.splice(0) : queue.splice(0, 1);
      steps.set(role, queue);
      if (next.some(({ input }) => JSON.stringify(input).includes("ovld task done"))) await allTaken();
      return next.length === 0 ? "That is all." : next;
    },
  };
}

it("a campaign in trees: six real Claude Codes add, take, commit, hand in and mend tasks without a dialog, all of it lands green, and restart and resume go on in the trees", async () => {
  let play: ((request: ModelRequest) => Promise<Turn>) | undefined;
  await using army = await makeClaudeArmy({ trusted: true, script: (request) => play?.(request) ?? "fine" });
  const { world } = army;
  const { project, sandbox } = world;
  gitAs(project, "init", "-q", "-b", "main");
  write(sandbox.home, { ".gitconfig": "[user]\n\tname = Ann\n\temail = ann@example.org\n" });
  write(join(sandbox.home, ".config/ovld"), { "config.toml": `[trees]\ncheck = "${CHECK}"\n` });
  write(project, {
    ".env": "SECRET=1\n",
    ".claude/settings.local.json": JSON.stringify(LOCAL_SETTINGS),
  });
  const base = commit(project, {
    ".gitignore": ".env\n.claude/\n",
    ".worktreeinclude": ".env\n",
    "check.sh": "! grep -rqs 'BROKEN\\|<<<<' parts list.txt\n",
    "list.txt": "nobody\n",
    "mine.txt": "as committed\n",
  });
  write(project, { "mine.txt": "as the person is changing it\n" });
  const treeOf = (role: Role): string => trees.get(role) ?? "";
  const tasks = async (): Promise<{ id: string; state: string; owner: Role; tries: any[] }[]> =>
    JSON.parse((await world.ovld("task", "list", "--all", "--json")).stdout).tasks;
  const allTaken = (): Promise<void> =>
    waitUntil(
      "all four are taken",
      async () => {
        const all = await tasks();
        return all.length === 4 && all.every(({ state }) => state !== "open");
      },
      { interval: 500 },
    );
  const players = createPlayers(treeOf, allTaken);
  onTestFailed(() => console.error(players.results, journalOf(world.relayDir()).slice(-20)));
  play = players.script;

  expect(await world.ovld("summon", "--trees", "--detached")).toMatchObject({ code: 0, stderr: "" });
  const trees = new Map(
    gitAs(project, "worktree", "list", "--porcelain")
      .split("\n")
      .flatMap((line): [Role, string][] => {
        const [, path = "", role] = /^worktree (.*\/ovld-overlord-(\w+))$/.exec(line) ?? [];
        return role !== undefined && isRole(role) ? [[role, path]] : [];
      }),
  );
  await world.pane("overlord").say("I wish for four parts.");
  await waitUntil("the overlord hears that all has landed", () =>
    journalOf(world.relayDir()).some(
      (entry) => entry.event === "read" && "role" in entry && entry.role === "overlord",
    ),
  );

  const done = await tasks();
  expect(done.map(({ state }) => state)).toEqual(["landed", "landed", "landed", "landed"]);
  const reasons = done.flatMap(({ tries }) => tries.map(({ outcome }) => outcome.is));
  const count = (reason: string): number => reasons.filter((each) => each === reason).length;
  expect(["landed", "conflict", "red"].map(count)).toEqual([4, 1, 1]);
  for (const role of ["inferno", "glacier", "shadow", "storm"] as const) {
    const [, ovld, fsync, env] = players.results.get(role) ?? [];
    expect([ovld, fsync, env]).toEqual([join(world.relayDir(), "launch/bin/ovld"), "committed", "SECRET=1"]);
  }
  const needless = journalOf(world.relayDir()).filter(
    ({ event }) => event === "asked" || event === "reminded",
  );
  expect(needless).toEqual([]);
  const line = gitAs(project, "rev-list", "--first-parent", `${base}..${TARGET}`).split("\n");
  expect(line.length).toBeGreaterThan(1);
  for (const at of line) {
    const folder = join(sandbox.root, `at-${at}`);
    mkdirSync(folder);
    gitAs(project, "archive", "--output", `${folder}.tar`, at);
    execFileSync("tar", ["-xf", `${folder}.tar`, "-C", folder]);
    execFileSync("sh", ["-c", CHECK], { cwd: folder });
  }
  expect([gitAs(project, "rev-parse", "main"), gitAs(project, "status", "--porcelain")]).toEqual([
    base,
    "M mine.txt",
  ]);
  expect(await world.ovld("land")).toMatchObject({ code: 0 });
  expect(gitAs(project, "rev-parse", "main")).toBe(line[0]);
  expect(gitAs(project, "status", "--porcelain")).toBe("M mine.txt");
  expect(readFileSync(join(project, "parts/shadow.txt"), "utf8")).toBe("dark\n");

  const before = idsNow(world.relayDir());
  const answersFromTree = async (role: Role): Promise<void> => {
    await world.ovld("send", role, "Where are you?");
    await expect.poll(() => players.results.get(role)?.at(-1), soon).toBe(treeOf(role));
    expect(idsNow(world.relayDir()).get(role)).toBe(before.get(role));
  };
  expect(await world.ovld("restart", "storm")).toMatchObject({ code: 0 });
  await answersFromTree("storm");
  write(treeOf("glacier"), { "draft.txt": "not finished\n" });
  expect(await world.ovld("unsummon", "--yes")).toMatchObject({ code: 0 });
  expect([...trees].filter(([, path]) => existsSync(path)).map(([role]) => role)).toEqual(["glacier"]);
  expect(await world.ovld("summon", "--resume", "--detached")).toMatchObject({ code: 0, stderr: "" });
  await answersFromTree("glacier");
  await answersFromTree("shadow");
  expect(existsSync(join(treeOf("glacier"), "draft.txt"))).toBe(true);
  expect(idsNow(world.relayDir())).toEqual(before);
  expect(journalOf(world.relayDir()).filter(({ event }) => event === "asked")).toEqual([]);
});
