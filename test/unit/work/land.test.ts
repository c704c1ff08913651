import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { landReady, type LandingNews } from "../../../src/work/land.ts";
import { dropTask, handIn, returnTask, takeTask } from "../../../src/work/tasks.ts";
import { closeTree } from "../../../src/work/trees.ts";
import type { Work } from "../../../src/work/work.ts";
import { beginWork, commit, gitAs, makeWorkplace, task, write } from "../../support/work.ts";

const stop = new AbortController().signal;

async function land(work: Work): Promise<LandingNews[]> {
  const news: LandingNews[] = [];
  await landReady(work, { stop, tell: (each) => news.push(each) });
  return news;
}

it("work that was handed in lands, checked, without touching the person's checkout", async () => {
  await using place = makeWorkplace({ "a.txt": "one\n" }, { check: "grep -q two a.txt" });
  const work = await beginWork(place, ["inferno"]);
  const id = work.board.add(task("Write two"));
  await takeTask(work, "inferno", id);
  commit(work.treeOf("inferno"), { "a.txt": "two\n" });
  await handIn(work, "inferno", new Date());
  expect(await land(work)).toMatchObject([{ landed: [{ id: "T1", owner: "inferno" }], checked: true }]);
  expect(work.board.find(id)).toMatchObject({ state: "landed", owner: "inferno" });
  expect(gitAs(place.home, "show", `${work.target}:a.txt`)).toBe("two");
  expect(readFileSync(join(place.home, "a.txt"), "utf8")).toBe("one\n");
  expect(gitAs(place.home, "status", "--porcelain")).toBe("");
});

it("what conflicts with landed work is returned to its owner with the files, and lands after a merge", async () => {
  await using place = makeWorkplace({ "a.txt": "one\n" });
  const work = await beginWork(place, ["inferno", "storm"]);
  const [first, second] = [work.board.add(task("Two")), work.board.add(task("Three"))];
  await takeTask(work, "inferno", first);
  await takeTask(work, "storm", second);
  commit(work.treeOf("inferno"), { "a.txt": "two\n" });
  commit(work.treeOf("storm"), { "a.txt": "three\n" });
  await handIn(work, "inferno", new Date());
  await handIn(work, "storm", new Date());
  expect(await land(work)).toMatchObject([
    { landed: [{ id: first }], checked: false },
    { returned: { id: second }, outcome: { is: "conflict", files: ["a.txt"] }, times: 1 },
  ]);
  const tree = work.treeOf("storm");
  expect(() => gitAs(tree, "merge", "-q", work.target)).toThrow("Command failed");
  commit(tree, { "a.txt": "two\nthree\n" });
  await handIn(work, "storm", new Date());
  expect(await land(work)).toMatchObject([{ landed: [{ id: second }] }]);
  expect(gitAs(place.home, "show", `${work.target}:a.txt`)).toBe("two\nthree");
});

it("of several that are ready, those that are red alone or together are returned, and the rest lands", async () => {
  const check = 'test "$(cat *.n | sort | uniq -d)" = "" && ! test -e bad';
  await using place = makeWorkplace({ "0.n": "0\n" }, { check });
  const roles = ["inferno", "glacier", "shadow", "storm"] as const;
  const work = await beginWork(place, [...roles]);
  const files = [{ "1.n": "1\n" }, { bad: "x\n" }, { "3.n": "3\n" }, { "4.n": "3\n" }];
  for (const [at, role] of roles.entries()) {
    await takeTask(work, role, work.board.add(task(`Part ${at}`)));
    commit(work.treeOf(role), files[at] ?? {});
    await handIn(work, role, new Date());
  }
  await land(work);
  const states = work.board.list().map(({ state }) => state);
  expect(states).toEqual(["landed", "returned", "landed", "returned"]);
  for (const one of gitAs(place.home, "rev-list", "--first-parent", work.target).split("\n")) {
    gitAs(place.home, "worktree", "add", "-q", "--detach", join(place.root, one), one);
    expect(existsSync(join(place.root, one, "bad"))).toBe(false);
  }
});

it("a task's own check goes on being run for whatever lands later", async () => {
  await using place = makeWorkplace({ "a.txt": "one\n" });
  const work = await beginWork(place, ["inferno", "storm"]);
  await takeTask(work, "inferno", work.board.add(task("Keep b", { check: "test -e b.txt" })));
  commit(work.treeOf("inferno"), { "b.txt": "b\n" });
  await handIn(work, "inferno", new Date());
  expect(await land(work)).toMatchObject([{ checked: true }]);
  await takeTask(work, "storm", work.board.add(task("Remove b")));
  gitAs(work.treeOf("storm"), "rm", "-q", "b.txt");
  gitAs(work.treeOf("storm"), "commit", "-q", "-m", "gone");
  await handIn(work, "storm", new Date());
  expect(await land(work)).toMatchObject([{ outcome: { is: "red", command: "test -e b.txt" } }]);
});

it("nothing can be handed in that is not committed, and nothing that adds no commit", async () => {
  await using place = makeWorkplace({ "a.txt": "one\n" });
  const work = await beginWork(place, ["inferno"]);
  await takeTask(work, "inferno", work.board.add(task("Two")));
  const dirty = "new\nfile.txt";
  await expect(handIn(work, "inferno", new Date())).rejects.toMatchObject({
    report: { code: "nothing-committed" },
  });
  write(work.treeOf("inferno"), { [dirty]: "x" });
  await expect(handIn(work, "inferno", new Date())).rejects.toMatchObject({
    report: { code: "tree-dirty", facts: { file: dirty, others: 0 } },
  });
});

it("a task is taken by one role, by the right one, and only when what it waits for has landed", async () => {
  await using place = makeWorkplace({ "a.txt": "one\n" });
  const work = await beginWork(place, ["inferno", "storm"]);
  const first = work.board.add(task("First", { to: "inferno" }));
  const second = work.board.add(task("Second", { after: [first] }));
  await expect(takeTask(work, "storm", first)).rejects.toMatchObject({ report: { code: "task-of-another" } });
  await expect(takeTask(work, "storm", second)).rejects.toMatchObject({ report: { code: "task-waits" } });
  await takeTask(work, "inferno", first);
  await expect(takeTask(work, "storm", first)).rejects.toMatchObject({ report: { code: "task-state" } });
  await takeTask(work, "inferno", first);
});

it("a check that commits, hangs, forks or prints without end returns the task, and leaves nothing running", async () => {
  await using place = makeWorkplace({ "a.txt": "one\n" }, { checkMinutes: 0.03 });
  const work = await beginWork(place, ["inferno"]);
  const checks = {
    commits: "git -c user.name=x -c user.email=x commit -q --allow-empty -m x",
    hangs: "sleep 1000",
    prints: "yes | head -c 50000000; false",
  };
  for (const [name, check] of Object.entries(checks)) {
    await takeTask(work, "inferno", work.board.add(task(name, { check })));
    commit(work.treeOf("inferno"), { [name]: "x" });
    await handIn(work, "inferno", new Date());
    const [news] = await land(work);
    const said = expect.toSatisfy((text: string) => text.length < 10_000);
    expect(news).toMatchObject({ outcome: { is: "red", command: check, said } });
  }
});

it("dropping a task and closing its tree keep what was not committed", async () => {
  await using place = makeWorkplace({ "a.txt": "one\n" });
  const work = await beginWork(place, ["inferno", "storm"]);
  const id = work.board.add(task("Two"));
  await takeTask(work, "inferno", id);
  write(work.treeOf("inferno"), { "a.txt": "draft\n", "new.txt": "new\n" });
  await dropTask(work, id);
  expect(await closeTree(work, "inferno")).toBe("kept");
  expect(await closeTree(work, "storm")).toBe("removed");
  const refs = gitAs(place.home, "for-each-ref", "--format=%(refname)", work.refs).split("\n");
  // The second would say the same as the first.
  expect(refs.length).toBe(1);
  for (const ref of refs) expect(gitAs(place.home, "show", `${ref}:new.txt`)).toBe("new");
  expect(existsSync(work.treeOf("storm"))).toBe(false);
});

it("a task that waits for landing can be sent back with words", async () => {
  await using place = makeWorkplace({ "a.txt": "one\n" });
  const work = await beginWork(place, ["inferno"]);
  const id = work.board.add(task("Two"));
  await takeTask(work, "inferno", id);
  commit(work.treeOf("inferno"), { "a.txt": "two\n" });
  await handIn(work, "inferno", new Date());
  returnTask(work, id, "human", "Not like this.");
  expect(work.board.find(id).state).toBe("returned");
  expect(await land(work)).toEqual([]);
});

it("a check that is red before any work blames no task: all stay ready, it is said once, and what mends it lands with the others", async () => {
  const check = "echo >> ../runs; test -e mended";
  await using place = makeWorkplace({ "a.txt": "one\n" }, { check });
  const work = await beginWork(place, ["inferno", "storm"]);
  const ids = [];
  for (const role of ["inferno", "storm"] as const) {
    ids.push(work.board.add(task(role)));
    await takeTask(work, role, ids.at(-1) ?? "");
    commit(work.treeOf(role), { [role]: "x\n" });
    await handIn(work, role, new Date());
  }
  const states = (): string[] => work.board.list().map(({ state }) => state);
  const runs = (): number => readFileSync(join(place.root, "trees/runs"), "utf8").length;
  expect(await land(work)).toMatchObject([{ red: { command: check } }]);
  expect(states()).toEqual(["ready", "ready"]);
  const before = runs();
  expect(await land(work)).toEqual([]);
  expect(runs()).toBe(before);
  const mending = work.board.add(task("Mend it"));
  await takeTask(work, "storm", mending);
  commit(work.treeOf("storm"), { mended: "x\n" });
  await handIn(work, "storm", new Date());
  expect(await land(work)).toMatchObject([
    { landed: [{ id: mending }] },
    { landed: ids.map((id) => ({ id })) },
  ]);
});

it("a check that was red on the target because of what the repository does not contain runs again when the person says so", async () => {
  await using place = makeWorkplace({ "a.txt": "one\n" }, { check: "true", setup: "test -e ../tool" });
  const work = await beginWork(place, ["inferno"]);
  const id = work.board.add(task("Two"));
  await takeTask(work, "inferno", id);
  commit(work.treeOf("inferno"), { "a.txt": "two\n" });
  await handIn(work, "inferno", new Date());
  expect(await land(work)).toMatchObject([{ red: { command: "test -e ../tool" } }]);
  write(join(place.root, "trees"), { tool: "" });
  expect(await land(work)).toEqual([]);
  await landReady(work, { stop, tell: () => {}, again: true });
  expect(work.board.find(id).state).toBe("landed");
});

it("packages that only a task makes impossible to set up send it back, although the last setup has left none", async () => {
  const setup = "rm -f ../packages; grep -q good package-lock.json && touch ../packages";
  await using place = makeWorkplace(
    { "package-lock.json": "good\n" },
    { check: "test -e ../packages", setup },
  );
  const work = await beginWork(place, ["inferno", "storm"]);
  const files = [{ "a.txt": "one\n" }, { "package-lock.json": "bad\n" }, { "a.txt": "two\n" }];
  const news = [];
  for (const each of files) {
    await takeTask(work, "inferno", work.board.add(task("Packages")));
    commit(work.treeOf("inferno"), each);
    await handIn(work, "inferno", new Date());
    news.push(...(await land(work)));
    gitAs(work.treeOf("inferno"), "checkout", "-q", "--detach", work.target);
  }
  expect(news).toMatchObject([
    { landed: [{}] },
    { outcome: { is: "red", command: setup } },
    { landed: [{}] },
  ]);
});
