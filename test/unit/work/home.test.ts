import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import * as TEXTS from "../../../src/i18n/en.ts";
import { processTable } from "../../../src/system/platform.ts";
import { findProcesses } from "../../../src/system/process.ts";
import { bringHome } from "../../../src/work/home.ts";
import { landReady } from "../../../src/work/land.ts";
import { homeNote } from "../../../src/work/recover.ts";
import { handIn, takeTask } from "../../../src/work/tasks.ts";
import { beginWork, commit, gitAs, makeWorkplace, task, write, type Workplace } from "../../support/work.ts";
import { waitUntil } from "../../support/wait-until.ts";

const stop = new AbortController().signal;

/** Work of inferno that has landed and is not in the person's branch. */
async function landed(place: Workplace, files: Record<string, string>) {
  const work = await beginWork(place, ["inferno"]);
  await takeTask(work, "inferno", work.board.add(task("Work")));
  commit(work.treeOf("inferno"), files);
  await handIn(work, "inferno", new Date());
  await landReady(work, { stop, tell: () => {} });
  return work;
}

it("what has landed comes into the person's branch, beside changes of theirs that it does not touch", async () => {
  await using place = makeWorkplace({ "a.txt": "one\n", "b.txt": "b\n" });
  const work = await landed(place, { "a.txt": "two\n" });
  write(place.home, { "b.txt": "mine\n", "new.txt": "mine\n" });
  expect(await bringHome(work, { stop, dry: true })).toMatchObject({ is: "home", branch: "main" });
  expect(readFileSync(join(place.home, "a.txt"), "utf8")).toBe("one\n");
  const home = await bringHome(work, { stop });
  expect(home).toMatchObject({ is: "home", branch: "main" });
  expect(readFileSync(join(place.home, "a.txt"), "utf8")).toBe("two\n");
  expect(readFileSync(join(place.home, "b.txt"), "utf8")).toBe("mine\n");
  const saved = "saved" in home ? (home.saved ?? "") : "";
  expect(gitAs(place.home, "show", `${saved}:new.txt`)).toBe("mine");
  expect(await bringHome(work, { stop })).toEqual({ is: "nothing" });
});

it.each([
  ["a changed file", (home: string) => write(home, { "a.txt": "mine\n" })],
  [
    "a changed file that git would stash",
    (home: string) => {
      gitAs(home, "config", "merge.autoStash", "true");
      write(home, { "a.txt": "mine\n" });
    },
  ],
  ["a new file", (home: string) => write(home, { "added.txt": "mine\n" })],
  [
    "an ignored file",
    (home: string) => {
      writeFileSync(join(home, ".git/info/exclude"), "added.txt\n");
      write(home, { "added.txt": "mine\n" });
    },
  ],
])("%s of the person's that is in the way stays as it is, and nothing is done", async (_what, change) => {
  await using place = makeWorkplace({ "a.txt": "one\n" });
  const work = await landed(place, { "a.txt": "two\n", "added.txt": "theirs\n" });
  change(place.home);
  const before = gitAs(place.home, "rev-parse", "HEAD");
  expect(await bringHome(work, { stop })).toMatchObject({ is: "refused", problem: "in-the-way" });
  expect(gitAs(place.home, "rev-parse", "HEAD")).toBe(before);
  const mine = ["a.txt", "added.txt"].filter((name) => existsSync(join(place.home, name)));
  expect(mine.some((name) => readFileSync(join(place.home, name), "utf8") === "mine\n")).toBe(true);
});

it("a branch that has gone on is merged into the army's and checked there first", async () => {
  await using place = makeWorkplace({ "a.txt": "one\n" }, { check: "! grep -q bad theirs.txt" });
  const work = await landed(place, { "a.txt": "two\n", "theirs.txt": "x\n" });
  commit(place.home, { "other.txt": "mine\n" });
  expect(await bringHome(work, { stop })).toMatchObject({ is: "home" });
  expect(readFileSync(join(place.home, "other.txt"), "utf8")).toBe("mine\n");
  expect(gitAs(place.home, "rev-parse", "HEAD")).toBe(gitAs(place.home, "rev-parse", work.target));
});

it("a branch that has gone on where there is no check is merged, and that it was not checked is said", async () => {
  await using place = makeWorkplace({ "a.txt": "one\n" });
  const work = await landed(place, { "a.txt": "two\n" });
  commit(place.home, { "other.txt": "mine\n" });
  const home = await bringHome(work, { stop });
  expect(home).toMatchObject({ is: "home", unchecked: true });
  expect(TEXTS.work.home(home, work.target, false)).toContain("without a check");
});

it("what was saved before a merge that is refused again and again is kept once", async () => {
  await using place = makeWorkplace({ "a.txt": "one\n" });
  const work = await landed(place, { "a.txt": "two\n" });
  write(place.home, { "a.txt": "mine\n" });
  const saved = (): string[] => gitAs(place.home, "for-each-ref", `${work.refs}/saved`).split("\n");
  for (let times = 0; times < 3; times += 1)
    expect(await bringHome(work, { stop })).toMatchObject({ is: "refused" });
  expect(saved()).toHaveLength(1);
  write(place.home, { "a.txt": "mine, again\n" });
  await bringHome(work, { stop });
  expect(saved()).toHaveLength(2);
});

it("a merge that fails half-way leaves the files as they were, those of the person as well, and works when it can", async () => {
  await using place = makeWorkplace({ "a.txt": "one\n" });
  const work = await landed(place, {
    "a.txt": "two\n",
    "b.txt": "b\n",
    "z.txt": "z\n",
    ".gitattributes": "z.txt filter=z\n",
  });
  write(place.home, { "mine.txt": "mine\n" });
  // As on a disk that is full: the last file cannot be written.
  gitAs(place.home, "config", "filter.z.required", "true");
  gitAs(place.home, "config", "filter.z.clean", "cat");
  gitAs(place.home, "config", "filter.z.smudge", "false");
  expect(await bringHome(work, { stop })).toMatchObject({ is: "refused" });
  expect(gitAs(place.home, "status", "--porcelain")).toBe("?? mine.txt");
  expect(readFileSync(join(place.home, "a.txt"), "utf8")).toBe("one\n");
  gitAs(place.home, "config", "filter.z.smudge", "cat");
  expect(await bringHome(work, { stop })).toMatchObject({ is: "home" });
});

it("files that a killed git had only begun to write are as they were, and those that the person has written since stay", async () => {
  await using place = makeWorkplace({ "a.txt": "one\n", "b.txt": "b\n", "c.txt": "c\n" });
  const { home } = place;
  const news = { "a.txt": "two\n", "b.txt": "two\n", "c.txt": "two\n", "new.txt": "two\n" };
  const work = await landed(place, news);
  const [from, to] = ["HEAD", work.target].map((name) => gitAs(home, "rev-parse", name));
  writeFileSync(homeNote(work), JSON.stringify({ from, to }));
  write(home, { "a.txt": "", "b.txt": "tw", "c.txt": "twos\n", "new.txt": "t" });
  expect(await bringHome(work, { stop })).toMatchObject({ is: "refused", problem: "in-the-way" });
  expect(gitAs(home, "status", "--porcelain")).toBe("M c.txt");
  expect(readFileSync(join(home, "c.txt"), "utf8")).toBe("twos\n");
});

it("a merge that git refuses takes away no file of the person's, even one that is the same as what has landed", async () => {
  await using place = makeWorkplace({ "a.txt": "one\n" });
  const work = await landed(place, { "a.txt": "two\n", "b.txt": "b\n" });
  write(place.home, { "a.txt": "mine\n", "b.txt": "b\n" });
  expect(await bringHome(work, { stop })).toMatchObject({ is: "refused", problem: "in-the-way" });
  expect(readFileSync(join(place.home, "b.txt"), "utf8")).toBe("b\n");
});

it("in the middle of a rebase, or on no branch, nothing is done and the person is told", async () => {
  await using place = makeWorkplace({ "a.txt": "one\n" });
  const work = await landed(place, { "a.txt": "two\n" });
  gitAs(place.home, "checkout", "-q", "--detach");
  expect(await bringHome(work, { stop })).toMatchObject({ is: "refused", problem: "no-branch" });
  gitAs(place.home, "checkout", "-q", "main");
  gitAs(place.home, "bisect", "start");
  expect(await bringHome(work, { stop })).toMatchObject({ is: "refused", problem: "unfinished" });
});

it("what they do while their branch is being checked counts: only the branch that they have then gets the work, and its newest commit", async () => {
  await using place = makeWorkplace(
    { "a.txt": "one\n" },
    { check: "while test -e ../../wait; do sleep 0.05; done" },
  );
  const work = await landed(place, { "b.txt": "army\n" });
  gitAs(place.home, "branch", "release");
  commit(place.home, { "early.txt": "mine\n" });
  writeFileSync(join(place.root, "wait"), "");
  const going = bringHome(work, { stop, only: "main" });
  await waitUntil(
    "the check runs",
    () =>
      existsSync(join(work.folder, "checking.json")) &&
      findProcesses((words) => words.join(" ").includes("../../wait")).length > 0,
  );
  gitAs(place.home, "switch", "-q", "release");
  rmSync(join(place.root, "wait"));
  expect(await going).toMatchObject({ is: "refused", problem: "no-branch" });
  expect(gitAs(place.home, "ls-tree", "--name-only", "release")).toBe("a.txt");
  gitAs(place.home, "switch", "-q", "main");
  commit(place.home, { "late.txt": "mine\n" });
  expect(await bringHome(work, { stop, only: "main" })).toMatchObject({ is: "home", branch: "main" });
  expect(gitAs(place.home, "ls-tree", "--name-only", "main").split("\n")).toEqual([
    "a.txt",
    "b.txt",
    "early.txt",
    "late.txt",
  ]);
});

it.each([
  ["git alone", false],
  ["git and ovld", true],
])(
  "after %s was killed in the middle of the merge, the person's checkout is as it was, and the work comes home",
  async (_what, both) => {
    const before = {
      "a.txt": "one\n",
      "b.txt": "b\n",
      "c.txt": "c\n",
      "mine.txt": "x\n",
      "slow.txt": "one\n",
    };
    await using place = makeWorkplace(before);
    const { home } = place;
    const work = await landed(place, { "a.txt": "two\n", "added.txt": "new\n", "slow.txt": "two\n" });
    await takeTask(work, "inferno", work.board.add(task("Remove")));
    gitAs(work.treeOf("inferno"), "rm", "-q", "b.txt", "c.txt");
    gitAs(work.treeOf("inferno"), "commit", "-q", "-m", "removed");
    await handIn(work, "inferno", new Date());
    await landReady(work, { stop, tell: () => {} });
    write(home, { "mine.txt": "mine\n", "draft.txt": "draft\n" });
    writeFileSync(join(home, ".git/info/attributes"), "slow.txt filter=slow\n");
    gitAs(home, "config", "filter.slow.smudge", "touch .git/waits; sleep 2; cat");
    if (both)
      writeFileSync(
        join(place.folder, "going-home.json"),
        JSON.stringify({ from: gitAs(home, "rev-parse", "HEAD"), to: gitAs(home, "rev-parse", work.target) }),
      );
    const going = both
      ? once(spawn("git", ["merge", "--ff-only", work.target], { cwd: home, env: place.env }), "exit")
      : bringHome(work, { stop });
    const isMerge = (words: string[], pid: number) =>
      words.includes("--ff-only") && processTable().folder(pid) === home;
    await waitUntil("git is in the middle of it", () => existsSync(join(home, ".git/waits")));
    expect(readFileSync(join(home, "added.txt"), "utf8")).toBe("new\n");
    for (const pid of findProcesses(isMerge)) process.kill(pid, "SIGKILL");
    await going;
    gitAs(home, "config", "filter.slow.smudge", "cat");
    if (both) write(home, { "b.txt": "written since\n" });
    await landReady(work, { stop, tell: () => {} });
    const mine = ["M mine.txt", "?? draft.txt"];
    expect(
      gitAs(home, "status", "--porcelain")
        .split("\n")
        .map((line) => line.trim()),
    ).toEqual(both ? ["M b.txt", ...mine] : mine);
    expect(readFileSync(join(home, "b.txt"), "utf8")).toBe(both ? "written since\n" : "b\n");
    gitAs(home, "checkout", "-q", "b.txt");
    expect(await bringHome(work, { stop })).toMatchObject({ is: "home" });
    expect(readFileSync(join(home, "slow.txt"), "utf8")).toBe("two\n");
    expect(
      gitAs(home, "status", "--porcelain")
        .split("\n")
        .map((line) => line.trim()),
    ).toEqual(mine);
  },
);
