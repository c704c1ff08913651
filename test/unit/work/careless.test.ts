/** What a careless person does to an army's trees by hand, and names that nobody expects. */
import { execFileSync, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { LIMITS } from "../../../src/mail/store/message.ts";
import { bringHome } from "../../../src/work/home.ts";
import { landReady, type LandingNews } from "../../../src/work/land.ts";
import { mailAboutOverlaps } from "../../../src/work/overlap.ts";
import { examineRepository } from "../../../src/work/repository.ts";
import { handIn, takeTask } from "../../../src/work/tasks.ts";
import { closeTree, uncommittedFiles } from "../../../src/work/trees.ts";
import type { Work } from "../../../src/work/work.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { beginWork, commit, gitAs, makeWorkplace, task, write } from "../../support/work.ts";

const stop = new AbortController().signal;

async function land(work: Work): Promise<LandingNews[]> {
  const news: LandingNews[] = [];
  await landReady(work, { stop, tell: (each) => news.push(each) });
  return news;
}

async function take(work: Work, role: "inferno" | "storm"): Promise<string> {
  const id = work.board.add(task("Work"));
  await takeTask(work, role, id);
  return id;
}

it("two who write files whose names are long, of several lines, or no text at all are told, and their conflict is returned", async () => {
  await using place = makeWorkplace({ "a.txt": "one\n" });
  const work = await beginWork(place, ["inferno", "storm"]);
  const names = [
    "-rf",
    'q"u',
    "caf\u00E9",
    "sp ace ",
    ...["1", "2"].map((each) => `new\nline${each.repeat(200)}`),
  ];
  for (const role of ["inferno", "storm"] as const) {
    await take(work, role);
    for (const name of names)
      writeFileSync(Buffer.from(join(work.treeOf(role), name), "latin1"), `${role}\n`);
  }
  const drafts = await mailAboutOverlaps(work);
  expect(drafts.map(({ to }) => to)).toEqual(["inferno", "storm"]);
  for (const { subject } of drafts) {
    expect(subject.length).toBeLessThanOrEqual(LIMITS.subjectCharacters);
    expect(subject).not.toContain("\n");
  }
  for (const role of ["inferno", "storm"] as const) {
    expect(await uncommittedFiles({ folder: work.treeOf(role), env: work.env })).toHaveLength(names.length);
    gitAs(work.treeOf(role), "add", "-A");
    gitAs(work.treeOf(role), "commit", "-q", "-m", "odd names");
    await handIn(work, role, new Date());
  }
  const [, returned] = await land(work);
  expect(returned).toMatchObject({
    outcome: { is: "conflict", files: expect.arrayContaining(["-rf", 'q"u']) },
  });
});

it("a merge that has kept everything of ours, and is not committed, is not handed in", async () => {
  await using place = makeWorkplace({ "a.txt": "one\n" });
  const work = await beginWork(place, ["inferno", "storm"]);
  await take(work, "inferno");
  await take(work, "storm");
  commit(work.treeOf("inferno"), { "a.txt": "two\n" });
  const tree = work.treeOf("storm");
  commit(tree, { "a.txt": "three\n" });
  await handIn(work, "inferno", new Date());
  await land(work);
  expect(() => gitAs(tree, "merge", "-q", work.target)).toThrow("Command failed");
  write(tree, { "a.txt": "three\n" });
  gitAs(tree, "add", "-A");
  await expect(handIn(work, "storm", new Date())).rejects.toMatchObject({ report: { code: "tree-dirty" } });
  gitAs(tree, "commit", "-q", "--no-edit");
  await handIn(work, "storm", new Date());
  expect(await land(work)).toMatchObject([{ landed: [{ owner: "storm" }] }]);
});

it("a tree that the person has removed is there again when its role takes its task, and hides nothing about the others", async () => {
  await using place = makeWorkplace({ "a.txt": "one\n" });
  const work = await beginWork(place, ["inferno", "storm", "shadow"]);
  const id = await take(work, "inferno");
  const tree = work.treeOf("inferno");
  const done = commit(tree, { "b.txt": "b\n" });
  rmSync(tree, { recursive: true });
  await take(work, "storm");
  const other = work.board.add(task("Other"));
  await takeTask(work, "shadow", other);
  write(work.treeOf("storm"), { "a.txt": "storm\n" });
  write(work.treeOf("shadow"), { "a.txt": "shadow\n" });
  expect(await mailAboutOverlaps(work)).toHaveLength(2);
  await takeTask(work, "inferno", id);
  expect(gitAs(tree, "rev-parse", "HEAD")).toBe(done);
  await handIn(work, "inferno", new Date());
  expect(await land(work)).toMatchObject([{ landed: [{ id }] }]);
});

it("a tag with the name of a branch misleads nobody", async () => {
  await using place = makeWorkplace({ "a.txt": "one\n" });
  for (const name of ["main", "ovld/overlord", "ovld-overlord/T1"]) gitAs(place.home, "tag", name);
  expect(await examineRepository({ folder: place.home, env: place.env }, "overlord")).toMatchObject({
    branch: "main",
  });
  const work = await beginWork(place, ["inferno"]);
  await take(work, "inferno");
  commit(work.treeOf("inferno"), { "a.txt": "two\n" });
  await handIn(work, "inferno", new Date());
  await land(work);
  expect(await bringHome(work, { stop, only: "main" })).toMatchObject({ is: "home", branch: "main" });
});

it("a repository inside that has no commit, and a pipe, keep nobody from saving and landing", async () => {
  await using place = makeWorkplace({ "a.txt": "one\n" });
  const work = await beginWork(place, ["inferno"]);
  await take(work, "inferno");
  commit(work.treeOf("inferno"), { "a.txt": "two\n" });
  await handIn(work, "inferno", new Date());
  await land(work);
  for (const folder of [place.home, work.treeOf("inferno")]) {
    mkdirSync(join(folder, "inside"));
    gitAs(join(folder, "inside"), "init", "-q");
    execFileSync("mkfifo", [join(folder, "pipe")]);
    write(folder, { "mine.txt": "mine\n" });
  }
  const home = await bringHome(work, { stop });
  if (home.is !== "home" || home.saved === undefined) throw new Error("nothing was saved");
  expect(gitAs(place.home, "show", `${home.saved}:mine.txt`)).toBe("mine");
  expect(await closeTree(work, "inferno")).toBe("kept");
});

it("ignored files that the project names are in every tree, also where the check runs", async () => {
  await using place = makeWorkplace(
    { ".gitignore": ".env\nnode/\n", ".worktreeinclude": ".env\nnode/\n" },
    { check: "grep -q secret .env && test -e node/deep/a" },
  );
  write(place.home, { ".env": "secret\n", "node/deep/a": "a\n" });
  const work = await beginWork(place, ["inferno"]);
  expect(existsSync(join(work.treeOf("inferno"), "node/deep/a"))).toBe(true);
  await take(work, "inferno");
  commit(work.treeOf("inferno"), { "a.txt": "two\n" });
  await handIn(work, "inferno", new Date());
  expect(await land(work)).toMatchObject([{ checked: true }]);
  expect(readFileSync(join(place.home, ".env"), "utf8")).toBe("secret\n");
});

it("where something has landed that a named ignored file is in the way of, the tree has what has landed", async () => {
  await using place = makeWorkplace({ ".gitignore": "own\ndata\n", ".worktreeinclude": "own\ndata\n" });
  write(place.home, { own: "secret\n", "data/deep": "secret\n" });
  const work = await beginWork(place, ["inferno"]);
  await take(work, "inferno");
  const tree = work.treeOf("inferno");
  rmSync(join(tree, "data"), { recursive: true });
  commit(tree, { ".gitignore": "", own: "landed\n", data: "landed\n" });
  await handIn(work, "inferno", new Date());
  await land(work);
  await take(work, "storm");
  for (const name of ["own", "data"])
    expect(readFileSync(join(work.treeOf("storm"), name), "utf8")).toBe("landed\n");
});

it("in a sparse checkout, a file outside of its parts is saved, and keeps nobody from bringing work home", async () => {
  await using place = makeWorkplace({ "in/a.txt": "one\n", "out/b.txt": "b\n" });
  gitAs(place.home, "sparse-checkout", "set", "--sparse-index", "in");
  const work = await beginWork(place, ["inferno"]);
  await take(work, "inferno");
  commit(work.treeOf("inferno"), { "in/a.txt": "two\n" });
  await handIn(work, "inferno", new Date());
  await land(work);
  write(place.home, { "out/mine.txt": "mine\n" });
  const home = await bringHome(work, { stop });
  if (home.is !== "home" || home.saved === undefined) throw new Error("nothing was saved");
  expect(gitAs(place.home, "show", `${home.saved}:out/mine.txt`)).toBe("mine");
});

it("a person whose git follows into submodules, or follows branches, has trees that work, and no entries in their configuration", async () => {
  await using place = makeWorkplace({ "a.txt": "one\n" }, { check: "test -e a.txt" });
  const part = join(place.root, "part");
  mkdirSync(part);
  gitAs(part, "init", "-q");
  const first = commit(part, { "part.txt": "1\n" });
  const second = commit(part, { "part.txt": "2\n" });
  gitAs(place.home, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", part, "part");
  gitAs(place.home, "commit", "-q", "-m", "a part");
  gitAs(place.home, "config", "submodule.recurse", "true");
  gitAs(place.home, "config", "branch.autoSetupMerge", "always");
  const before = readFileSync(join(place.home, ".git/config"), "utf8");
  expect(first).not.toBe(second);
  const work = await beginWork(place, ["inferno", "storm", "strategist"]);
  await take(work, "inferno");
  const tree = work.treeOf("inferno");
  gitAs(tree, "update-index", "--cacheinfo", `160000,${first},part`);
  gitAs(tree, "commit", "-q", "-m", "an older part");
  await handIn(work, "inferno", new Date());
  expect(await land(work)).toMatchObject([{ checked: true }]);
  await take(work, "storm");
  for (const role of ["storm", "strategist"] as const)
    expect(gitAs(work.treeOf(role), "status", "--porcelain")).toBe("");
  expect(readFileSync(join(place.home, ".git/config"), "utf8")).toBe(before);
});

it("a tree whose setup failed, or which was removed, is set up when its role takes a task, and only then", async () => {
  const setup = "echo >> ../runs; test -e ../tool";
  await using place = makeWorkplace({ "a.txt": "one\n" }, { setup });
  const work = await beginWork(place, ["inferno"]);
  const runs = (): number => readFileSync(join(place.root, "trees/runs"), "utf8").length;
  const id = work.board.add(task("Work"));
  expect(readFileSync((await takeTask(work, "inferno", id)) ?? "", "utf8")).toContain(setup);
  write(join(place.root, "trees"), { tool: "" });
  expect(await takeTask(work, "inferno", id)).toBeUndefined();
  expect(await takeTask(work, "inferno", id)).toBeUndefined();
  expect(runs()).toBe(2);
  rmSync(work.treeOf("inferno"), { recursive: true });
  expect(await takeTask(work, "inferno", id)).toBeUndefined();
  expect(runs()).toBe(3);
});

it("a clock that was set back, and two who land at once, land everything once", async () => {
  await using place = makeWorkplace({ "a.txt": "one\n" }, { check: "sleep 0.3" });
  const work = await beginWork(place, ["inferno", "storm"]);
  const ids = [];
  for (const role of ["inferno", "storm"] as const) {
    ids.push(await take(work, role));
    commit(work.treeOf(role), { [`${role}.txt`]: "x\n" });
    await handIn(work, role, new Date(0));
  }
  const news = (await Promise.all([land(work), land(work)])).flat();
  expect(news.flatMap((each) => ("landed" in each ? each.landed.map(({ id }) => id) : []))).toEqual(ids);
  expect(gitAs(place.home, "rev-list", "--count", "--first-parent", `main..${work.target}`)).toBe("1");
});

it("a person who commits, stashes and rebases while work is being checked loses nothing, and neither does the army", async () => {
  const check = "touch ../../checking; while test -e ../../wait; do sleep 0.05; done";
  await using place = makeWorkplace({ "a.txt": "one\n", "mine.txt": "x\n" }, { check });
  const { home, root } = place;
  const work = await beginWork(place, ["inferno"]);
  const id = await take(work, "inferno");
  commit(work.treeOf("inferno"), { "b.txt": "b\n" });
  await handIn(work, "inferno", new Date());
  write(root, { wait: "" });
  const landing = land(work);
  await waitUntil("the check runs", () => existsSync(join(root, "checking")));
  commit(home, { "first.txt": "1\n" });
  commit(home, { "second.txt": "2\n" });
  write(home, { "mine.txt": "draft\n", "new.txt": "new\n" });
  gitAs(home, "stash", "push", "-q", "--include-untracked");
  gitAs(home, "rebase", "-q", "--force-rebase", "HEAD~2");
  rmSync(join(root, "wait"));
  expect(await landing).toMatchObject([{ landed: [{ id }] }]);
  gitAs(home, "stash", "pop", "-q");
  expect(await bringHome(work, { stop })).toMatchObject({ is: "home", branch: "main" });
  expect(
    gitAs(home, "status", "--porcelain")
      .split("\n")
      .map((line) => line.trim()),
  ).toEqual(["M mine.txt", "?? new.txt"]);
  for (const [name, text] of Object.entries({ "b.txt": "b\n", "second.txt": "2\n", "mine.txt": "draft\n" }))
    expect(readFileSync(join(home, name), "utf8")).toBe(text);
});

it("on a full disk nothing is lost or half landed, and everything lands when there is room again", async (context) => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "ovld-work-")));
  const mount = spawnSync("mount", ["-t", "tmpfs", "-o", "size=6m", "ovld-test", root]);
  if (mount.status !== 0) context.skip("mounting a small disk needs root");
  try {
    const inside = join(root, "inside");
    mkdirSync(join(inside, "work"), { recursive: true });
    await using place = makeWorkplace(
      { "a.txt": "one\n" },
      { check: "test -e b.txt" },
      { root: inside, folder: join(inside, "work") },
    );
    const work = await beginWork(place, ["inferno"]);
    const id = await take(work, "inferno");
    const done = commit(work.treeOf("inferno"), { "b.txt": "b\n" });
    write(place.home, { "draft.txt": "draft\n" });
    const base = gitAs(place.home, "rev-parse", work.target);
    const fill = (): void => void spawnSync("dd", ["if=/dev/zero", `of=${join(root, "fill")}`, "bs=1k"]);
    const withoutRoom = async (action: () => Promise<unknown>): Promise<void> => {
      fill();
      await expect(action()).rejects.toThrow(/./);
      rmSync(join(root, "fill"));
    };
    await withoutRoom(() => handIn(work, "inferno", new Date()));
    expect(work.board.find(id).state).toBe("taken");
    await handIn(work, "inferno", new Date());
    await withoutRoom(() => land(work));
    expect(gitAs(place.home, "rev-parse", work.target)).toBe(base);
    expect(gitAs(place.home, "for-each-ref", "--contains", done, work.refs)).not.toBe("");
    await land(work);
    expect(work.board.find(id).state).toBe("landed");
    await withoutRoom(() => bringHome(work, { stop }));
    expect(gitAs(place.home, "status", "--porcelain")).toBe("?? draft.txt");
    expect(await bringHome(work, { stop })).toMatchObject({ is: "home" });
  } finally {
    spawnSync("umount", ["--lazy", root]);
  }
});
