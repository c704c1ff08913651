import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, it } from "vitest";
import { runLogged } from "../../../src/work/check.ts";
import { landReady } from "../../../src/work/land.ts";
import { handIn, takeTask } from "../../../src/work/tasks.ts";
import { closeTree, findReachable } from "../../../src/work/trees.ts";
import { openWork } from "../../../src/work/work.ts";
import { beginWork, commit, gitAs, makeWorkplace, task, write } from "../../support/work.ts";
import { waitUntil } from "../../support/wait-until.ts";

const stop = new AbortController().signal;

it("the check of a killed process is ended, and its lock removed, by whoever lands next", async () => {
  await using place = makeWorkplace({ "a.txt": "one\n" });
  const work = await beginWork(place, ["inferno"]);
  const id = work.board.add(task("Two"));
  await takeTask(work, "inferno", id);
  commit(work.treeOf("inferno"), { "a.txt": "two\n" });
  await handIn(work, "inferno", new Date());
  const check = spawn("sleep", ["1000"], { env: { ...work.env, OVLD_CHECK: "1" } });
  const ended = once(check, "exit");
  await once(check, "spawn");
  writeFileSync(join(work.folder, "landing.json"), "{}");
  writeFileSync(join(place.home, ".git", `${work.targetRef}.lock`), "");
  await landReady(work, { stop, tell: () => {} });
  expect(await ended).toEqual([null, "SIGKILL"]);
  expect(work.board.find(id).state).toBe("landed");
  expect(existsSync(join(work.folder, "landing.json"))).toBe(false);
});

it("nothing lands while a git of a killed process is still at work", async () => {
  await using place = makeWorkplace({ "a.txt": "one\n" });
  const work = await beginWork(place, ["inferno"]);
  const id = work.board.add(task("Two"));
  await takeTask(work, "inferno", id);
  commit(work.treeOf("inferno"), { "a.txt": "two\n" });
  await handIn(work, "inferno", new Date());
  const orphan = spawn("git", ["cat-file", "--batch"], { env: work.env, cwd: place.home });
  const ended = once(orphan, "exit");
  await once(orphan, "spawn");
  writeFileSync(join(work.folder, "landing.json"), "{}");
  await expect(landReady(work, { stop, tell: () => {} })).rejects.toMatchObject({
    report: { code: "file-unfit", facts: { problem: "busy" } },
  });
  expect(work.board.find(id).state).toBe("ready");
  orphan.kill("SIGKILL");
  await ended;
  await landReady(work, { stop, tell: () => {} });
  expect(work.board.find(id).state).toBe("landed");
});

it("what is written into the landing tree while the commit is put there does not reach the check", async () => {
  await using place = makeWorkplace({ "a.txt": "one\n" }, { check: "grep -q two a.txt" });
  const work = await beginWork(place, ["inferno"]);
  const id = work.board.add(task("Two"));
  await takeTask(work, "inferno", id);
  commit(work.treeOf("inferno"), { "a.txt": "two\n" });
  await handIn(work, "inferno", new Date());
  // Stands for a late git: it writes once, after the tree was made and the commit was put there.
  const script = "#!/bin/sh\necho >> ../runs; test $(wc -l < ../runs) != 2 || echo half > a.txt\n";
  mkdirSync(join(place.home, ".git/hooks"), { recursive: true });
  writeFileSync(join(place.home, ".git/hooks/post-checkout"), script, { mode: 0o755 });
  await landReady(work, { stop, tell: () => {} });
  expect(readFileSync(join(place.root, "trees/runs"), "utf8").length).toBeGreaterThan(1);
  expect(work.board.find(id).state).toBe("landed");
});

it("whoever lands next does not end the setup of a role's tree", async () => {
  await using place = makeWorkplace({ "a.txt": "one\n" });
  const work = await beginWork(place, ["inferno"]);
  const tree = work.treeOf("inferno");
  const going = runLogged(work, tree, "touch begun; while ! test -e go; do sleep 0.05; done", "setup", stop);
  await waitUntil("the setup runs", () => existsSync(join(tree, "begun")));
  writeFileSync(join(work.folder, "landing.json"), "{}");
  await landReady(work, { stop, tell: () => {} });
  write(tree, { go: "" });
  expect(await going).toMatchObject({ code: 0 });
});

it.each([
  ["of its tree", "worktrees/ovld-overlord-inferno/HEAD.lock"],
  ["of its branch", "refs/heads/ovld-overlord/T1.lock"],
])(
  "a lock %s that an agent's killed git has left goes with the next landing; that of a living git stays",
  async (_what, name) => {
    await using place = makeWorkplace({ "a.txt": "one\n" });
    const work = await beginWork(place, ["inferno"]);
    await takeTask(work, "inferno", work.board.add(task("One")));
    const lock = join(place.home, ".git", name);
    writeFileSync(lock, "");
    const living = spawn("git", ["cat-file", "--batch"], { cwd: work.treeOf("inferno") });
    const ended = once(living, "exit");
    await once(living, "spawn");
    await landReady(work, { stop, tell: () => {} });
    expect(existsSync(lock)).toBe(true);
    living.kill("SIGKILL");
    await ended;
    expect(() => gitAs(place.home, "gc", "-q", "--prune=now")).toThrow(basename(lock));
    await landReady(work, { stop, tell: () => {} });
    gitAs(place.home, "gc", "-q", "--prune=now");
  },
);

it("a commit that git no longer has cannot be reached, and hides no other that can", async () => {
  await using place = makeWorkplace({ "a.txt": "one\n" });
  const work = await beginWork(place, ["inferno"]);
  const first = gitAs(place.home, "rev-parse", "HEAD");
  const other = commit(work.treeOf("inferno"), { "a.txt": "two\n" });
  const gone = "1".repeat(40);
  expect(await findReachable(work, [first, other], work.targetRef)).toEqual(new Set([first]));
  expect(await findReachable(work, [first, other, gone], work.targetRef)).toEqual(new Set([first]));
});

it.each([
  ["all of a tree", true],
  ["half of a tree", false],
])("what is written into %s whose maker was killed is never lost", async (_what, isWhole) => {
  await using place = makeWorkplace({ "a.txt": "one\n" });
  const work = await beginWork(place, []);
  const id = work.board.add(task("Two"));
  const dying = openWork(place.folder, place.env, (at) => {
    if (at === "tree-added") throw new Error("killed");
  });
  if (dying === undefined) throw new Error("there is no work");
  await expect(takeTask(dying, "inferno", id)).rejects.toThrow("killed");
  const tree = work.treeOf("inferno");
  write(tree, { "hours.txt": "of work\n" });
  if (!isWhole) rmSync(join(place.home, ".git/worktrees", basename(tree), "index"));
  writeFileSync(join(place.folder, "making-inferno.json"), JSON.stringify({ maker: "999999-1" }));
  await landReady(work, { stop, tell: () => {} });
  const [taken] = await Promise.allSettled([takeTask(work, "inferno", id)]);
  expect(taken).toMatchObject(
    isWhole ? { reason: { report: { code: "tree-dirty" } } } : { status: "fulfilled" },
  );
  const [ref = ""] = gitAs(place.home, "for-each-ref", "--format=%(refname)", `${work.refs}/saved`).split(
    "\n",
  );
  const kept = isWhole
    ? readFileSync(join(tree, "hours.txt"), "utf8").trim()
    : gitAs(place.home, "show", `${ref}:hours.txt`);
  expect(kept).toBe("of work");
  expect(gitAs(tree, "status", "--porcelain")).toBe(isWhole ? "?? hours.txt" : "");
});

it("a role that takes its task again after its tree was half made keeps what it has written there since", async () => {
  await using place = makeWorkplace({ "a.txt": "one\n" });
  const work = await beginWork(place, ["inferno"]);
  const id = work.board.add(task("Two"));
  await takeTask(work, "inferno", id);
  writeFileSync(join(place.folder, "making-inferno.json"), JSON.stringify({ maker: "999999-1" }));
  write(work.treeOf("inferno"), { "hours.txt": "of work\n" });
  await takeTask(work, "inferno", id);
  await landReady(work, { stop, tell: () => {} });
  expect(gitAs(work.treeOf("inferno"), "status", "--porcelain")).toBe("?? hours.txt");
});

it.each([
  ["with most of its files", ["a.txt", "packages"]],
  ["without the file that says whose it is", ["a.txt", "packages", ".git"]],
])("a tree whose removal was killed %s is made and set up again", async (_what, gone) => {
  const files = { "a.txt": "one\n", "b.txt": "one\n", ".gitignore": "packages\n" };
  await using place = makeWorkplace(files, { setup: "touch packages" });
  const work = await beginWork(place, []);
  const tree = work.treeOf("inferno");
  await takeTask(work, "inferno", work.board.add(task("One")));
  // Git dies while it deletes the files.
  const bin = join(place.root, "bin");
  const remove = gone.map((name) => `rm "${join(tree, name)}"`).join("; ");
  const real = execFileSync("/bin/sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
  write(bin, {
    git: `#!/bin/sh\ncase "$*" in *"worktree remove"*) ${remove}; kill -9 $$;; esac\nexec ${real} "$@"\n`,
  });
  chmodSync(join(bin, "git"), 0o755);
  const env = { ...place.env, PATH: `${bin}:${place.env["PATH"]}` };
  const dying = openWork(place.folder, env, (step) => {
    if (step === "tree-removed") throw new Error("killed");
  });
  if (dying === undefined) throw new Error("there is no work");
  await expect(closeTree(dying, "inferno")).rejects.toThrow("killed");
  await takeTask(work, "inferno", work.board.add(task("Two")));
  expect(readdirSync(tree).toSorted()).toEqual([".git", ".gitignore", "a.txt", "b.txt", "packages"]);
  expect(gitAs(tree, "status", "--porcelain")).toBe("");
});

it("what is written into a tree whose removal was killed is saved, and nothing else", async () => {
  await using place = makeWorkplace({ "a.txt": "one\n", "b.txt": "one\n" });
  const work = await beginWork(place, ["inferno"]);
  const tree = work.treeOf("inferno");
  rmSync(join(tree, "a.txt"));
  writeFileSync(
    join(place.folder, "making-inferno.json"),
    JSON.stringify({ maker: "999999-1", removes: true }),
  );
  write(tree, { "hours.txt": "of work\n" });
  await landReady(work, { stop, tell: () => {} });
  expect(existsSync(tree)).toBe(false);
  const saved = gitAs(place.home, "for-each-ref", "--format=%(refname)", `${work.refs}/saved`);
  expect(gitAs(place.home, "diff", "--name-status", "main", saved)).toBe("A\thours.txt");
});
