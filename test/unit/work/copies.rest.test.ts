import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { provideTarget } from "../../../src/work/target.ts";
import { dropTask, returnTask, handIn, takeTask } from "../../../src/work/tasks.ts";
import type { WorkStep } from "../../../src/work/work.ts";
import { answerCopy, exchange, findBase } from "../../../src/work/copies.ts";
import { pause } from "../../../src/system/async.ts";
import { makeClones, ROLE, type Clones } from "../../support/copies.ts";
import type { CopyPlan } from "../../support/copy-worker.ts";
import { makeSandbox } from "../../support/sandbox.ts";
import { commit, gitAs, makeWorkplace, task, write } from "../../support/work.ts";
import { bundleWorker } from "../../torture/bundle-worker.ts";

const NOW = new Date("2026-11-19T10:00:00Z");

/** The files of a small real program: what a change of it costs is measured. */
const PROGRAM = Object.fromEntries(
  Array.from({ length: 40 }, (_each, at) => [
    `src/part${at}.ts`,
    Array.from({ length: 60 }, (_line, line) => `export const value${line} = ${at * 100 + line};\n`).join(""),
  ]),
);

async function takeFirst(clones: Clones): Promise<string> {
  const id = clones.board.board.add(task("Two", { to: ROLE }));
  await clones.exchange({ is: "take", id });
  await takeTask(clones.copy, ROLE, id);
  return id;
}

const stateOf = ({ board }: Clones, id: string): string => board.board.find(id).state;

it("a task is taken, worked on and handed in on another machine, lands, and comes back there with the target", async () => {
  await using clones = await makeClones({ ...PROGRAM, "a.txt": "one\n" });
  const { board, copy, home, told, sizes, tree } = clones;
  const id = board.board.add(task("Two", { to: ROLE }));
  await clones.exchange();
  expect(told.map(({ to, subject }) => [to, subject])).toEqual([[ROLE, `${id}: Two`]]);
  await clones.exchange({ is: "take", id });
  expect(board.board.find(id)).toEqual({ id, state: "taken", owner: ROLE });
  await takeTask(copy, ROLE, id);
  const made = commit(tree, {
    "src/part3.ts": `${PROGRAM["src/part3.ts"]}export function add(a: number, b: number): number {\n  return a + b;\n}\n`,
    "test/part3.test.ts": 'it("adds", () => expect(add(1, 2)).toBe(3));\n',
  });
  await handIn(copy, ROLE, NOW);
  sizes.length = 0;
  expect(await clones.exchange()).toMatchObject({ isSilent: false, refusals: [] });
  expect(board.board.lastTry(id)).toEqual({ number: 1, commit: made, handed: NOW.toISOString() });
  expect(gitAs(home.home, "rev-parse", board.handedRef(id, 1))).toBe(made);
  // In base64, with the names of what the clone has.
  expect(sizes[0]).toBeLessThan(2_000);
  await clones.land();
  await clones.exchange();
  expect(copy.board.find(id).state).toBe("landed");
  const [ours, theirs] = [copy.home, home.home].map((folder) => gitAs(folder, "rev-parse", board.target));
  expect(ours).toBe(theirs);
  expect(told).toHaveLength(1);
});

it("a red check comes back by mail once, and a second try on what has landed meanwhile lands", async () => {
  await using clones = await makeClones({ "a.txt": "one\n" }, "! grep -q bad *.txt");
  const { board, copy, told, tree } = clones;
  const id = await takeFirst(clones);
  commit(tree, { "b.txt": "bad\n" });
  await handIn(copy, ROLE, NOW);
  await clones.exchange();
  await clones.land();
  told.length = 0;
  await clones.exchange();
  await clones.exchange();
  expect(told.map(({ to, subject }) => [to, subject])).toEqual([
    [ROLE, `${id} came back: its check is red on what has landed`],
  ]);
  const other = board.board.add(task("Other"));
  await takeTask(board, "strategist", other);
  commit(board.treeOf("strategist"), { "c.txt": "three\n" });
  await handIn(board, "strategist", NOW);
  await clones.land();
  await clones.exchange({ is: "take", id });
  await takeTask(copy, ROLE, id);
  gitAs(tree, "merge", "-q", copy.target);
  commit(tree, { "b.txt": "good\n" });
  await handIn(copy, ROLE, new Date(NOW.getTime() + 1));
  await clones.exchange();
  await clones.land();
  expect(stateOf(clones, id)).toBe("landed");
});

it("what was returned with words can be handed in again unchanged", async () => {
  await using clones = await makeClones({ "a.txt": "one\n" });
  const id = await takeFirst(clones);
  commit(clones.tree, { "a.txt": "two\n" });
  await handIn(clones.copy, ROLE, NOW);
  await clones.exchange();
  returnTask(clones.board, id, "human", "Are you sure?");
  await clones.exchange();
  expect(clones.told.at(-1)).toMatchObject({ subject: `${id} came back: returned by human` });
  await handIn(clones.copy, ROLE, new Date(NOW.getTime() + 1));
  await clones.exchange();
  expect(clones.board.board.tries(id)).toHaveLength(2);
  expect(stateOf(clones, id)).toBe("ready");
});

it("the owner of a task that is dropped elsewhere hears of it there, and what was not committed is kept there", async () => {
  await using clones = await makeClones({ "a.txt": "one\n" });
  const { board, copy, told, tree } = clones;
  const id = await takeFirst(clones);
  write(tree, { "a.txt": "half\n" });
  await dropTask(board, id);
  told.length = 0;
  await clones.exchange();
  await clones.exchange();
  expect(told.map(({ to, subject }) => [to, subject])).toEqual([[ROLE, `${id} was dropped`]]);
  const saved = gitAs(copy.home, "for-each-ref", "--format=%(refname)", `${copy.refs}/saved`);
  expect(gitAs(copy.home, "show", `${saved}:a.txt`)).toBe("half");
  // Whoever drops its own need not be told.
  const own = board.board.add(task("Own"));
  await clones.exchange({ is: "take", id: own });
  await clones.exchange({ is: "drop", id: own });
  expect(copy.board.find(own).state).toBe("dropped");
  expect(told).toHaveLength(1);
});

it("a damaged file of one task hides no other from a machine with a copy", async () => {
  await using clones = await makeClones({ "a.txt": "one\n" });
  const { board, copy } = clones;
  const id = await takeFirst(clones);
  const [open, last] = ["Open", "Last"].map((title) => board.board.add(task(title)));
  for (const each of [id, open]) writeFileSync(join(board.folder, "goals", `${each}.json`), "{");
  await clones.exchange();
  expect(copy.board.list().map((each) => [each.id, each.state])).toEqual([
    [id, "taken"],
    [last, "open"],
  ]);
});

it("what an earlier army of this name has put on the target of a clone is still held by a ref when a copy begins there", async () => {
  await using clones = await makeClones({ "a.txt": "one\n" });
  const { copy, tree } = clones;
  const earlier = commit(tree, { "a.txt": "earlier\n" });
  gitAs(copy.home, "update-ref", copy.targetRef, earlier);
  await provideTarget(copy, "new");
  expect(gitAs(copy.home, "rev-parse", copy.targetRef)).toBe(copy.base);
  expect(gitAs(copy.home, "for-each-ref", "--contains", earlier, `${copy.refs}/saved`)).not.toBe("");
  // A person who has more than the board checked out does not move it on.
  commit(copy.home, { "a.txt": "mine\n" });
  await provideTarget(copy, "return");
  expect(gitAs(copy.home, "rev-parse", copy.targetRef)).toBe(copy.base);
});

it("while nobody answers, what is handed in is kept, and arrives once, however often it is sent", async () => {
  await using clones = await makeClones({ "a.txt": "one\n" });
  const { board, copy, link, tree } = clones;
  const id = await takeFirst(clones);
  const made = commit(tree, { "a.txt": "two\n" });
  link.isUp = false;
  await handIn(copy, ROLE, NOW);
  expect(await clones.exchange()).toMatchObject({ isSilent: true });
  expect(copy.board.find(id).state).toBe("ready");
  expect(gitAs(copy.home, "rev-parse", copy.handedRef(id, 1))).toBe(made);
  // Another role of that machine brings the copy up to date meanwhile.
  const asGlacier = (question: string) => answerCopy(board, "glacier", question);
  await exchange({ work: copy, role: "glacier", ask: asGlacier, tell: () => {} });
  expect(copy.board.find(id).state).toBe("ready");
  // The answer is lost, though the board has it.
  link.isUp = true;
  const { ask } = clones;
  const attempt = { is: "done", id, commit: made, handed: NOW.toISOString(), has: [] };
  const pack = gitPack(copy.home, made, board.target);
  await ask(JSON.stringify({ ...attempt, pack }));
  expect(stateOf(clones, id)).toBe("ready");
  expect(await clones.exchange()).toMatchObject({ isSilent: false, refusals: [] });
  await clones.exchange();
  expect(board.board.tries(id)).toHaveLength(1);
  await clones.land();
  await clones.exchange();
  expect(copy.board.find(id).state).toBe("landed");
});

function gitPack(folder: string, made: string, base: string): string {
  const input = `${made}\n^${gitAs(folder, "rev-parse", base)}\n`;
  const args = ["pack-objects", "-q", "--revs", "--thin", "--stdout"];
  return spawnSync("git", args, { cwd: folder, input }).stdout.toString("base64");
}

const STEPS: [CopyPlan["dies"], WorkStep][] = [
  ["copy", "pinned"],
  ["copy", "handed"],
  ["board", "unpacked"],
  ["board", "pinned"],
  ["board", "handed"],
  ["copy", "asked"],
  ["copy", "settled"],
];

it.each(STEPS)(
  "killed when the %s was at the step %s, the work is handed in once and lands",
  async (dies, at) => {
    await using sandbox = makeSandbox();
    await using clones = await makeClones({ "a.txt": "one\n" });
    const { board, copy } = clones;
    const id = await takeFirst(clones);
    const made = commit(clones.tree, { "a.txt": "two\n" });
    const plan: CopyPlan = { board: board.folder, copy: copy.folder, dies, at };
    const worker = await bundleWorker(sandbox, "test/support/copy-worker.ts");
    const { signal } = spawnSync(process.execPath, [worker, JSON.stringify(plan)], { env: clones.home.env });
    expect(signal).toBe("SIGKILL");
    // An agent that was told nothing looks, and hands in once more if it has to.
    await clones.exchange();
    if (copy.board.find(id).state === "taken") await handIn(copy, ROLE, NOW);
    await clones.exchange();
    expect(board.board.tries(id).map((each) => each.commit)).toEqual([made]);
    await clones.land();
    await clones.exchange();
    expect(copy.board.find(id).state).toBe("landed");
    expect(copy.board.tries(id)).toHaveLength(1);
  },
);

it("what is too large is refused with its size, and taken once the board's clone has it from elsewhere", async () => {
  await using clones = await makeClones({ "a.txt": "one\n" });
  const { board, copy, home, tree } = clones;
  const id = await takeFirst(clones);
  const made = commit(tree, { "large.bin": randomBytes(400_000).toString("latin1") });
  await handIn(copy, ROLE, NOW);
  const { refusals } = await clones.exchange();
  expect(refusals).toMatchObject([{ code: "hand-in-too-large", facts: { id, limit: 120 } }]);
  expect(copy.board.find(id).state).toBe("taken");
  gitAs(home.home, "fetch", "-q", copy.home, `${copy.branchOf(id)}:refs/remotes/b/${id}`);
  await handIn(copy, ROLE, NOW);
  expect(await clones.exchange()).toMatchObject({ refusals: [] });
  expect(board.board.lastTry(id)).toMatchObject({ commit: made });
  expect(stateOf(clones, id)).toBe("ready");
});

it("a target that has gone far comes in steps, and one step that is too large is said", async () => {
  await using clones = await makeClones({ "a.txt": "one\n" });
  const { board, copy } = clones;
  const land = async (bytes: number): Promise<void> => {
    const id = board.board.add(task("Large"));
    await takeTask(board, "strategist", id);
    commit(board.treeOf("strategist"), { [`${id}.txt`]: randomBytes(bytes).toString("hex") });
    await handIn(board, "strategist", NOW);
    await clones.land();
  };
  for (let count = 0; count < 4; count += 1) await land(50_000);
  expect(await clones.exchange()).toMatchObject({ isBehind: false });
  expect(gitAs(copy.home, "rev-parse", copy.target)).toBe(gitAs(board.home, "rev-parse", board.target));
  await land(200_000);
  expect(await clones.exchange()).toMatchObject({ isBehind: true });
  gitAs(copy.home, "fetch", "-q", board.home, board.target);
  expect(await clones.exchange()).toMatchObject({ isBehind: false });
});

it("nothing is handed in while another process brings the copy up to date", async () => {
  await using clones = await makeClones({ "a.txt": "one\n" });
  const { board, copy } = clones;
  const id = await takeFirst(clones);
  commit(clones.tree, { "a.txt": "two\n" });
  const happened: string[] = [];
  const hand = async (): Promise<void> => {
    happened.push("begun");
    await handIn(copy, ROLE, NOW);
  };
  let handed: Promise<unknown> | undefined;
  const ask = async (question: string): Promise<string> => {
    const answer = await answerCopy(board, "glacier", question);
    handed ??= clones.exchange(undefined, hand);
    // Longer than somebody who need not wait would take.
    await pause(500);
    happened.push("answered");
    return answer;
  };
  await exchange({ work: copy, role: "glacier", ask, tell: () => {} });
  await handed;
  expect(happened).toEqual(["answered", "begun"]);
  expect(stateOf(clones, id)).toBe("ready");
});

/** What the hub's board keeps as one value. */
const MOST_VALUE = 256 * 1024;

it("an answer about more tasks than fit, with as much as can travel, fits into one value of the hub, and has the asker's own", async () => {
  await using clones = await makeClones({ "a.txt": "one\n" });
  const { board, copy, ask } = clones;
  const base = gitAs(copy.home, "rev-parse", copy.target);
  for (let count = 0; count < 99; count += 1) board.board.add(task("仕事", { goal: "長い説明".repeat(100) }));
  const id = await takeFirst(clones);
  const other = board.board.add(task("Large"));
  await takeTask(board, "strategist", other);
  commit(board.treeOf("strategist"), {
    "large.txt": randomBytes(118 * 1024)
      .toString("latin1")
      .slice(0, 80_000),
  });
  await handIn(board, "strategist", NOW);
  await clones.land();
  const answer = (await ask(JSON.stringify({ is: "look", has: [base] }))) ?? "";
  expect(JSON.parse(answer).pack.length).toBeGreaterThan(100_000);
  expect(Buffer.byteLength(answer)).toBeLessThan(MOST_VALUE - 100);
  expect(JSON.parse(answer).entries[0]).toMatchObject({ id, state: "taken", owner: ROLE });
});

it("a clone without the base gets it if it is small, and otherwise there is none", async () => {
  await using clones = await makeClones({ "a.txt": "one\n" });
  const { home, board, ask } = clones;
  await using stranger = makeWorkplace({ "a.txt": "another project\n" });
  expect(await findBase({ folder: stranger.home, env: stranger.env }, ask)).toBe("no-base");
  clones.link.isUp = false;
  expect(await findBase({ folder: stranger.home, env: stranger.env }, ask)).toBe("silent");
  clones.link.isUp = true;
  const tip = commit(home.home, { "b.txt": "two\n" });
  gitAs(home.home, "update-ref", board.targetRef, tip);
  expect(await findBase(clones.copy.repository, ask)).toMatchObject({ base: tip });
  expect(gitAs(clones.copy.home, "show", `${tip}:b.txt`)).toBe("two");
});

it("a machine can hand in only its own task, only whole and sound commits, and touches no other ref", async () => {
  await using clones = await makeClones({ "a.txt": "one\n" });
  const { board, copy, home, tree, ask } = clones;
  const id = await takeFirst(clones);
  const others = board.board.add(task("Not yours", { to: "storm" }));
  const base = gitAs(tree, "rev-parse", "HEAD");
  const refs = (): string => gitAs(home.home, "for-each-ref");
  const before = refs();
  const send = async (made: string, more: object = {}): Promise<string | undefined> => {
    const attempt = { is: "done", id, commit: made, handed: NOW.toISOString(), has: [] };
    const answer = await ask(JSON.stringify({ ...attempt, pack: gitPack(copy.home, made, base), ...more }));
    return JSON.parse(answer ?? "").refused;
  };
  const good = commit(tree, { "a.txt": "two\n" });
  expect(await send(good, { id: others })).toContain("task-state");
  expect(await send(good, { id: "T99" })).toContain("no-such-task");
  // Another's task can neither be taken nor dropped.
  for (const is of ["take", "drop"]) {
    const answer = await ask(JSON.stringify({ is, id: others, has: [] }));
    expect(JSON.parse(answer ?? "").refused).toContain("task-of-another");
  }
  const blob = gitAs(tree, "rev-parse", "HEAD:a.txt");
  const raw = Buffer.concat([Buffer.from("100644 .git\0"), Buffer.from(blob, "hex")]);
  const hash = ["hash-object", "-w", "-t", "tree", "--stdin", "--literally"];
  const badTree = spawnSync("git", hash, { cwd: tree, input: raw }).stdout.toString().trim();
  const bad = gitAs(tree, "commit-tree", badTree, "-p", base, "-m", "bad");
  expect(await send(bad)).toContain("hasDotgit");
  // A part of it is missing.
  const pack = Buffer.from(gitPack(copy.home, good, base), "base64");
  expect(await send(good, { pack: pack.subarray(0, -25).toString("base64") })).toContain("git-failed");
  expect(await send(good, { pack: undefined })).toContain("git-failed");
  expect(await send(good, { pack: gitPack(copy.home, commit(tree, { "b.txt": "b" }), good) })).toContain(
    "git-failed",
  );
  // Not a commit, and nothing new.
  expect(await send(blob)).toContain("git-failed");
  expect(await send(base, { pack: undefined })).toContain("nothing-committed");
  for (const form of [
    { commit: "--output=/tmp/x" },
    { id: "../T1" },
    { pack: "A".repeat(200_000) },
    { has: ["HEAD; rm"] },
    { handed: "now" },
  ])
    await expect(send(good, form)).rejects.toThrow(/"path"/);
  expect(refs()).toBe(before);
  expect(board.board.find(id)).toMatchObject({ state: "taken", owner: ROLE });
  expect(await send(good)).toBeUndefined();
});

it("what an earlier army has left under the number of a task does not get into the new one, and is kept", async () => {
  await using clones = await makeClones({ "a.txt": "one\n" });
  const { board, copy, tree, link } = clones;
  const old = await takeFirst(clones);
  const early = commit(tree, { "early.txt": "early\n" });
  link.isUp = false;
  await clones.exchange({ is: "look" }, async () => void (await handIn(copy, ROLE, NOW)));
  link.isUp = true;
  // The army ends on both machines, and the next one begins.
  gitAs(tree, "checkout", "-q", "--detach", "main");
  for (const { folder } of [board, copy])
    for (const name of ["board", "goals", "tries"])
      rmSync(join(folder, name), { recursive: true, force: true });
  const id = await takeFirst(clones);
  expect(id).toBe(old);
  const made = commit(tree, { "b.txt": "b\n" });
  await clones.exchange({ is: "look" }, async () => void (await handIn(copy, ROLE, NOW)));
  await clones.land();
  expect(stateOf(clones, id)).toBe("landed");
  expect(gitAs(board.home, "ls-tree", "--name-only", board.target).split("\n")).toEqual(["a.txt", "b.txt"]);
  expect(gitAs(copy.home, "rev-parse", copy.handedRef(id, 1))).toBe(made);
  expect(
    gitAs(copy.home, "for-each-ref", "--contains", early, `${copy.refs}/saved`).split("\n"),
  ).toHaveLength(2);
});

it("however much there is to do, what one role has in hand stays on its machine when another asks", async () => {
  await using clones = await makeClones({ "a.txt": "one\n" });
  const { board, copy, tree } = clones;
  for (let number = 0; number < 14; number += 1) board.board.add(task("More", { goal: "x".repeat(8_000) }));
  const id = board.board.add(task("Mine", { goal: "y".repeat(8_000) }));
  await clones.exchange({ is: "take", id });
  await takeTask(copy, ROLE, id);
  commit(tree, { "a.txt": "two\n" });
  const ask = async (question: string) => answerCopy(board, "shadow", question);
  await exchange({ work: copy, role: "shadow", ask, tell: () => {} });
  await clones.exchange({ is: "look" }, async () => void (await handIn(copy, ROLE, NOW)));
  expect(stateOf(clones, id)).toBe("ready");
});
