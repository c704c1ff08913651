/** What careless people, odd checks and broken hooks do to an army's work: nothing is lost, and nothing stands still. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runLogged } from "../../../src/work/check.ts";
import { bringHome } from "../../../src/work/home.ts";
import { landReady, type LandingNews } from "../../../src/work/land.ts";
import { recoverTree, removeLandedRefs } from "../../../src/work/recover.ts";
import { lastTaskNumber } from "../../../src/work/repository.ts";
import { handIn, returnTask, takeTask } from "../../../src/work/tasks.ts";
import { mailAbout } from "../../../src/work/tell.ts";
import { closeTree, provideTree } from "../../../src/work/trees.ts";
import { openWork, recordWork, readWork, type Work } from "../../../src/work/work.ts";
import { describePlan } from "../../../src/view/describe-plan.ts";
import { findProcesses } from "../../../src/system/process.ts";
import { beginWork, commit, gitAs, makeWorkplace, task, write } from "../../support/work.ts";

const stop = new AbortController().signal;

async function land(work: Work, within = stop): Promise<LandingNews[]> {
  const news: LandingNews[] = [];
  await landReady(work, { stop: within, tell: (each) => news.push(each) });
  return news;
}

async function handInFiles(work: Work, files: Record<string, string>, check?: string): Promise<string> {
  const id = work.board.add(task("Work", check === undefined ? {} : { check }));
  await takeTask(work, "inferno", id);
  commit(work.treeOf("inferno"), files);
  return handIn(work, "inferno", new Date());
}

function hook(home: string, name: string, script: string): void {
  mkdirSync(join(home, ".git/hooks"), { recursive: true });
  writeFileSync(join(home, ".git/hooks", name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(home, ".git/hooks", name), 0o755);
}

it("commits that an agent made on no branch are kept when it takes a task", async () => {
  await using place = makeWorkplace({ "a.txt": "one\n" });
  const work = await beginWork(place, ["inferno"]);
  const early = commit(work.treeOf("inferno"), { "early.txt": "early\n" });
  await takeTask(work, "inferno", work.board.add(task("Two")));
  expect(gitAs(place.home, "for-each-ref", "--contains", early, work.refs)).not.toBe("");
});

it.each([
  ["checked out by the person", (home: string, target: string) => gitAs(home, "switch", "-q", target)],
  [
    "checked out in another worktree",
    (home: string, target: string) => gitAs(home, "worktree", "add", "-q", join(home, "../review"), target),
  ],
  [
    "being rebased",
    (home: string, target: string) => {
      gitAs(home, "switch", "-q", target);
      commit(home, { "z.txt": "z\n" });
      expect(() => gitAs(home, "rebase", "-q", "--exec", "false", "HEAD~1")).toThrow("Command failed");
    },
  ],
  [
    "being rebased in another worktree",
    (home: string, target: string) => {
      const review = join(home, "../review");
      gitAs(home, "worktree", "add", "-q", "-b", "other", review);
      commit(review, { "z.txt": "other\n" });
      gitAs(review, "switch", "-q", target);
      commit(review, { "z.txt": "z\n" });
      expect(() => gitAs(review, "rebase", "-q", "--apply", "other")).toThrow("Command failed");
    },
  ],
])("nothing lands while the target is %s, and everything lands afterwards", async (_where, checkOut) => {
  await using place = makeWorkplace({ "a.txt": "one\n" });
  const work = await beginWork(place, ["inferno"]);
  const id = await handInFiles(work, { "a.txt": "two\n" });
  checkOut(place.home, work.target);
  const before = gitAs(place.home, "rev-parse", work.target);
  await expect(land(work)).rejects.toMatchObject({ report: { code: "target-in-use" } });
  expect(gitAs(place.home, "rev-parse", work.target)).toBe(before);
  if (existsSync(join(place.home, ".git/rebase-merge"))) gitAs(place.home, "rebase", "--abort");
  gitAs(place.home, "switch", "-q", "main");
  if (existsSync(join(place.root, "review")))
    gitAs(place.home, "worktree", "remove", "--force", join(place.root, "review"));
  await land(work);
  expect(work.board.find(id).state).toBe("landed");
});

it("a target that the person has deleted comes back with everything that has landed", async () => {
  await using place = makeWorkplace({ "a.txt": "one\n" });
  const work = await beginWork(place, ["inferno"]);
  await handInFiles(work, { "a.txt": "two\n" });
  await land(work);
  const tip = gitAs(place.home, "rev-parse", work.target);
  gitAs(place.home, "branch", "-q", "-D", work.target);
  gitAs(work.treeOf("inferno"), "checkout", "-q", "--detach", "main");
  gitAs(place.home, "gc", "-q", "--prune=now");
  const id = await handInFiles(work, { "b.txt": "b\n" });
  await land(work);
  expect(work.board.find(id).state).toBe("landed");
  expect(gitAs(place.home, "rev-list", work.target)).toContain(tip);
});

it.each([
  [
    "deleted it, and a new army of that name begins",
    (home: string, target: string) => gitAs(home, "branch", "-q", "-D", target),
  ],
  ["set it back", (home: string, target: string) => gitAs(home, "branch", "-q", "-f", target, "main")],
])("what has landed is still held by a ref of ours after the person has %s", async (_what, spoil) => {
  await using place = makeWorkplace({ "a.txt": "one\n" });
  const work = await beginWork(place, ["inferno"]);
  await handInFiles(work, { "a.txt": "two\n" });
  await land(work);
  const tip = gitAs(place.home, "rev-parse", work.target);
  await closeTree(work, "inferno");
  await removeLandedRefs(work);
  spoil(place.home, work.target);
  rmSync(join(place.folder, "board"), { recursive: true });
  const next = await beginWork(place, ["inferno"]);
  expect(gitAs(place.home, "rev-parse", work.target)).toBe(gitAs(place.home, "rev-parse", "main"));
  await handInFiles(next, { "b.txt": "b\n" });
  await land(next);
  expect(gitAs(place.home, "for-each-ref", "--contains", tip)).toContain(`${work.refs}/saved/landed-`);
});

it("a returned task whose branch the person has deleted goes on where it was handed in", async () => {
  await using place = makeWorkplace({ "a.txt": "one\n" });
  const work = await beginWork(place, ["inferno"]);
  const id = await handInFiles(work, { "a.txt": "two\n" }, "false");
  await land(work);
  gitAs(work.treeOf("inferno"), "checkout", "-q", "--detach", "main");
  gitAs(place.home, "branch", "-q", "-D", work.branchOf(id));
  await takeTask(work, "inferno", id);
  expect(readFileSync(join(work.treeOf("inferno"), "a.txt"), "utf8")).toBe("two\n");
});

it.each([
  ["removes its folder", 'rm -rf "$PWD"'],
  ["removes what git needs", "rm -f .git"],
  [
    "makes a repository of its own",
    "rm -f .git; git init -q .; git -c user.name=x -c user.email=x commit -q --allow-empty -m x",
  ],
])("a check that %s returns the task, and the next one lands", async (_what, check) => {
  await using place = makeWorkplace({ "a.txt": "one\n" });
  const work = await beginWork(place, ["inferno"]);
  const id = await handInFiles(work, { "a.txt": "two\n" }, check);
  await land(work);
  expect(work.board.find(id).state).toBe("returned");
  const next = await handInFiles(work, { "b.txt": "b\n" }, "test -e b.txt");
  await land(work);
  expect(work.board.find(next).state).toBe("landed");
});

it("each check sees the commit itself, not what setup or another check has changed in it", async () => {
  await using place = makeWorkplace(
    { "a.txt": "bad\n" },
    { check: "echo good > a.txt", setup: "case $PWD in *landing) echo x > b.txt ;; esac" },
  );
  const work = await beginWork(place, ["inferno"]);
  const id = await handInFiles(work, { "b.txt": "b\n" }, "grep -q good a.txt");
  await land(work);
  expect(work.board.find(id).state).toBe("returned");
});

it("a check's background process does not outlive it", async () => {
  await using place = makeWorkplace({ "a.txt": "one\n" });
  const work = await beginWork(place, ["inferno"]);
  await handInFiles(work, { "a.txt": "two\n" }, "setsid sleep 7531 >/dev/null 2>&1 &");
  await land(work);
  expect(findProcesses((words) => words.includes("7531"))).toEqual([]);
});

it("hooks that fail after their work is done stop nothing", async () => {
  await using place = makeWorkplace({ "a.txt": "one\n" }, { check: "true" });
  hook(place.home, "post-checkout", "exit 3");
  const work = await beginWork(place, ["inferno"]);
  const id = await handInFiles(work, { "a.txt": "two\n" });
  await land(work);
  expect(work.board.find(id).state).toBe("landed");
});

it("a hook that keeps the target from moving is reported, and the check is not run for ever", async () => {
  await using place = makeWorkplace({ "a.txt": "one\n" });
  const work = await beginWork(place, ["inferno"]);
  const id = await handInFiles(work, { "a.txt": "two\n" });
  hook(
    place.home,
    "reference-transaction",
    'test "$1" = prepared && grep -q refs/heads/ovld/ && exit 1; exit 0',
  );
  await expect(land(work, AbortSignal.timeout(5_000))).rejects.toMatchObject({
    report: { code: "git-failed" },
  });
  rmSync(join(place.home, ".git/hooks/reference-transaction"));
  await land(work);
  expect(work.board.find(id).state).toBe("landed");
});

it("landings are signed if the person signs their commits", async () => {
  await using place = makeWorkplace({ "a.txt": "one\n" });
  const signer = join(place.root, "signer");
  const signature = "-----BEGIN PGP SIGNATURE-----\\n\\nx\\n-----END PGP SIGNATURE-----\\n";
  // Git fails if what it signs is not read.
  const script = `#!/bin/sh\ncat > /dev/null\necho "[GNUPG:] SIG_CREATED " >&2\nprintf -- "${signature}"\n`;
  writeFileSync(signer, script, { mode: 0o755 });
  gitAs(place.home, "config", "gpg.program", signer);
  const work = await beginWork(place, ["inferno"]);
  await handInFiles(work, { "a.txt": "two\n" });
  gitAs(place.home, "config", "commit.gpgsign", "true");
  await land(work);
  expect(gitAs(place.home, "cat-file", "commit", work.target)).toContain("BEGIN PGP SIGNATURE");
});

it("without the key for signing, uncommitted work is still saved", async () => {
  await using place = makeWorkplace({ "a.txt": "one\n" });
  gitAs(place.home, "config", "commit.gpgsign", "true");
  gitAs(place.home, "config", "gpg.program", "false");
  const work = await beginWork(place, ["inferno"]);
  write(work.treeOf("inferno"), { "a.txt": "draft\n" });
  expect(await closeTree(work, "inferno")).toBe("kept");
  expect(gitAs(place.home, "for-each-ref", work.refs)).not.toBe("");
});

it("the landing tree is nobody's: it goes, whatever a check has left in it", async () => {
  await using place = makeWorkplace(
    { "a.txt": "one\n" },
    { check: "echo x > left.txt; echo y > a.txt; false" },
  );
  const work = await beginWork(place, ["inferno"]);
  await handInFiles(work, { "a.txt": "two\n" });
  await land(work);
  expect(await closeTree(work, "landing")).toBe("removed");
  expect(gitAs(place.home, "for-each-ref", `${work.refs}/saved`)).toBe("");
  expect(gitAs(place.home, "worktree", "list")).not.toContain("landing");
});

it("a setup that is ended with its process says nothing about the task", async () => {
  await using place = makeWorkplace(
    { "a.txt": "one\n" },
    { check: "true", setup: '[ -z "$OVLD_CHECK" ] || sleep 60' },
  );
  const work = await beginWork(place, ["inferno"]);
  const id = await handInFiles(work, { "a.txt": "two\n" });
  await expect(land(work, AbortSignal.timeout(2_000))).rejects.toThrow("timeout");
  expect(work.board.find(id).state).not.toBe("returned");
});

it("titles, file names and tasks without end fit into mail and into a commit", async () => {
  await using place = makeWorkplace({ "a.txt": "one\n" });
  const work = await beginWork(place, ["inferno"]);
  const id = work.board.add(task("t".repeat(300_000)));
  await takeTask(work, "inferno", id);
  commit(work.treeOf("inferno"), { "a.txt": "two\n" });
  await handIn(work, "inferno", new Date());
  await land(work);
  expect(work.board.find(id).state).toBe("landed");
  const files = Array.from({ length: 50_000 }, (_, at) => `${"long/".repeat(40)}${at}\n\u001B[31m`);
  const news = {
    returned: work.board.find(id),
    outcome: { is: "conflict", files, said: "x" },
    times: 2,
  } as const;
  for (const { subject, body } of mailAbout(work, news)) {
    expect(subject.length).toBeLessThanOrEqual(200);
    expect(body.length).toBeLessThanOrEqual(20_000);
  }
});

it("a history of its own is returned as what it is, and others land", async () => {
  await using place = makeWorkplace({ "a.txt": "one\n" });
  const work = await beginWork(place, ["inferno", "storm"]);
  const id = work.board.add(task("Alone"));
  await takeTask(work, "inferno", id);
  const tree = work.treeOf("inferno");
  gitAs(tree, "checkout", "-q", "--orphan", "alone");
  commit(tree, { "z.txt": "z\n" });
  gitAs(tree, "branch", "-q", "-M", work.branchOf(id));
  await handIn(work, "inferno", new Date());
  const [news] = await land(work);
  expect(news).toMatchObject({ returned: { id }, outcome: { said: expect.stringContaining("unrelated") } });
});

it("after the repository was moved, its trees are found again", async () => {
  await using place = makeWorkplace({ "a.txt": "one\n" });
  const before = await beginWork(place, ["inferno"]);
  write(before.treeOf("inferno"), { "draft.txt": "draft\n" });
  const home = join(place.root, "moved");
  renameSync(place.home, home);
  const record = readWork(place.folder);
  if (record) recordWork(place.folder, { ...record, home });
  const work = openWork(place.folder, place.env);
  if (work === undefined) throw new Error("no work");
  await recoverTree(work, "inferno");
  await provideTree(work, "inferno", work.targetRef);
  expect(gitAs(work.treeOf("inferno"), "status", "--porcelain")).toBe("?? draft.txt");
});

it("a tree of another repository is never taken for one of this army", async () => {
  await using other = makeWorkplace({ "a.txt": "one\n" });
  await using place = makeWorkplace({ "b.txt": "one\n" }, { trees: join(other.root, "trees") });
  await beginWork(other, ["inferno"]);
  await expect(beginWork(place, ["inferno"])).rejects.toMatchObject({ report: { code: "tree-broken" } });
});

it("a tree of the same name that another checkout's army has left keeps what git knows about it", async () => {
  await using place = makeWorkplace({ "a.txt": "one\n" });
  const first = await beginWork(place, ["inferno"]);
  const early = commit(first.treeOf("inferno"), { "early.txt": "early\n" });
  const record = readWork(place.folder);
  if (record) recordWork(place.folder, { ...record, trees: join(place.root, "other") });
  await beginWork(place, ["inferno"]);
  expect(gitAs(first.treeOf("inferno"), "rev-parse", "HEAD")).toBe(early);
});

it("a branch with a number beyond all tasks does not make new tasks invisible", async () => {
  await using place = makeWorkplace({ "a.txt": "one\n" });
  gitAs(place.home, "branch", "ovld-overlord/T99999999999");
  gitAs(place.home, "branch", "ovld-overlord/T7");
  expect(await lastTaskNumber({ folder: place.home, env: place.env }, "overlord")).toBe(7);
});

it("what has landed goes by itself only into the branch from which the army was summoned", async () => {
  await using place = makeWorkplace({ "a.txt": "one\n" });
  const work = await beginWork(place, ["inferno"]);
  await handInFiles(work, { "a.txt": "two\n" });
  await land(work);
  gitAs(place.home, "switch", "-q", "-c", "release");
  expect(await bringHome(work, { stop, only: "main" })).toMatchObject({ is: "refused" });
  expect(readFileSync(join(place.home, "a.txt"), "utf8")).toBe("one\n");
  expect(await bringHome(work, { stop })).toMatchObject({ is: "home", branch: "release" });
});

it("a check goes on although the disk is too full for its output", async () => {
  await using place = makeWorkplace({ "a.txt": "one\n" });
  const work = await beginWork(place, []);
  mkdirSync(work.checks);
  symlinkSync("/dev/full", join(work.checks, "full.log"));
  expect(await runLogged(work, place.home, "echo one; sleep 0.1; echo two", "full", stop)).toMatchObject({
    code: 0,
  });
});

it.each([
  ["what a task is", "goals/T1.json"],
  ["what was handed in last", "tries/T1-2.json"],
])(
  "a damaged file that says %s stops no other task: the file is named, and nothing older lands",
  async (_what, file) => {
    await using place = makeWorkplace({ "a.txt": "one\n" });
    const work = await beginWork(place, ["inferno", "storm"]);
    const first = work.board.add(task("One"));
    const other = work.board.add(task("Other", { after: [first], to: "storm" }));
    await takeTask(work, "inferno", first);
    commit(work.treeOf("inferno"), { "b.txt": "early\n" });
    await handIn(work, "inferno", new Date());
    returnTask(work, first, "human", "Not like this.");
    commit(work.treeOf("inferno"), { "b.txt": "late\n" });
    await handIn(work, "inferno", new Date());
    writeFileSync(join(place.folder, file), "{");
    const tree = work.treeOf("storm");
    const [second, third] = ["Two", "Three"].map((title) => work.board.add(task(title)));
    for (const id of [second ?? "", third ?? ""]) {
      await takeTask(work, "storm", id);
      commit(tree, { [id]: "x\n" });
      await handIn(work, "storm", new Date());
      const path = join(place.folder, file);
      await expect(land(work)).rejects.toMatchObject({ report: { code: "file-unfit", facts: { path } } });
      expect(work.board.find(id).state).toBe("landed");
    }
    expect(work.board.find(first).state).toBe("ready");
    expect(work.board.find(other).state).toBe("open");
    expect(describePlan(place.folder)?.tasks.map(({ id }) => id)).toEqual([first, other]);
    expect(gitAs(place.home, "ls-tree", "--name-only", work.target)).not.toContain("b.txt");
    returnTask(work, first, "human", "Hand it in again.");
    expect(work.board.find(first).state).toBe("returned");
    const pin = gitAs(place.home, "rev-parse", work.handedRef(first, 1));
    commit(work.treeOf("inferno"), { "b.txt": "later\n" });
    await handIn(work, "inferno", new Date());
    expect(gitAs(place.home, "rev-parse", work.handedRef(first, 1))).toBe(pin);
  },
);

it("if the list of landed checks cannot be read, nothing lands unchecked", async () => {
  await using place = makeWorkplace({ "a.txt": "one\n" });
  const work = await beginWork(place, ["inferno"]);
  await handInFiles(work, { "b.txt": "b\n" }, "test -e b.txt");
  await land(work);
  writeFileSync(join(place.folder, "landed-checks.json"), "[");
  const id = await handInFiles(work, { "c.txt": "c\n" });
  await expect(land(work)).rejects.toMatchObject({ report: { code: "file-unfit" } });
  expect(work.board.find(id).state).not.toBe("landed");
});

it("a git that fails while it merges is not taken for a conflict", async () => {
  await using place = makeWorkplace({ "a.txt": "one\n" });
  const work = await beginWork(place, ["inferno"]);
  const id = await handInFiles(work, { "a.txt": "two\n" });
  const { commit: handed = "" } = work.board.lastTry(id) ?? {};
  const path = join(place.home, ".git/objects", handed.slice(0, 2), handed.slice(2));
  renameSync(path, `${path}.away`);
  await expect(land(work)).rejects.toMatchObject({ report: { code: "git-failed" } });
  renameSync(`${path}.away`, path);
  await land(work);
  expect(work.board.find(id).state).toBe("landed");
});

it("a check that checks out the target returns its task, and keeps nothing else from landing", async () => {
  await using place = makeWorkplace(
    { "a.txt": "one\n" },
    { check: "test -e b.txt || git checkout -q ovld/overlord" },
  );
  const work = await beginWork(place, ["inferno"]);
  await handInFiles(work, { "a.txt": "two\n" });
  expect(await land(work)).toMatchObject([{ outcome: { is: "red", said: expect.stringContaining("HEAD") } }]);
  const id = await handInFiles(work, { "b.txt": "b\n" });
  await land(work);
  expect(work.board.find(id).state).toBe("landed");
});
