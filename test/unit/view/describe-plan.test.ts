import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { describePlan, parseDiff, readDiff } from "../../../src/view/describe-plan.ts";
import { landReady } from "../../../src/work/land.ts";
import { handIn, returnTask, takeTask } from "../../../src/work/tasks.ts";
import { beginWork, commit, makeWorkplace, task } from "../../support/work.ts";

const never = new AbortController().signal;

it("an army without trees has no plan", () => {
  const folder = mkdtempSync(join(tmpdir(), "ovld-plan-"));
  expect(describePlan(folder)).toBe(null);
  rmSync(folder, { recursive: true });
});

it("a plan has each unfinished task with its state, since when, what it waits for, and why it came back", async () => {
  await using place = makeWorkplace({ "a.txt": "one\n" });
  const work = await beginWork(place, ["inferno"]);
  const begun = new Date(Date.now() - 1_000).toISOString();
  const [first, second] = [
    work.board.add(task("first")),
    work.board.add(task("second", { to: "storm", after: ["T1"] })),
  ];
  await takeTask(work, "inferno", first);
  commit(work.treeOf("inferno"), { "a.txt": "two\n" });
  await handIn(work, "inferno", new Date());
  returnTask(work, first, "human", "w".repeat(1_000));
  const plan = describePlan(place.folder);
  expect(plan).toMatchObject({
    target: "ovld/overlord",
    tasks: [
      {
        id: first,
        state: "returned",
        owner: "inferno",
        tries: 1,
        outcome: { is: "words", said: `${"w".repeat(300)}…` },
      },
      { id: second, state: "open", to: "storm", after: [first], tries: 0, outcome: null },
    ],
    more: 0,
    landed: 0,
    dropped: 0,
    lastLanded: [],
  });
  for (const { since } of plan?.tasks ?? []) expect((since ?? "") > begun).toBe(true);
  await handIn(work, "inferno", new Date());
  await landReady(work, { stop: never, tell: () => {} });
  expect(describePlan(place.folder)).toMatchObject({
    tasks: [{ id: second, after: [] }],
    landed: 1,
    lastLanded: [{ id: first, outcome: { is: "landed", checked: false } }],
  });
  expect(await readDiff(work, second)).toEqual({ files: [], more: 0 });
  expect(await readDiff(work, first)).toMatchObject({ files: [{ path: "a.txt", added: 1, removed: 1 }] });
});

it("of a board of 2,000 tasks the plan has the urgent ones and the last that landed, and counts the rest", async () => {
  await using place = makeWorkplace({ "a.txt": "one\n" });
  // As the board writes them, but without waiting for the disk each time.
  for (const name of ["goals", "board"]) mkdirSync(join(place.folder, name));
  for (let number = 1; number <= 2_000; number += 1) {
    const end = number <= 1_500 ? "landed.storm" : number === 1_999 ? "returned.storm" : "open";
    writeFileSync(join(place.folder, "goals", `T${number}.json`), JSON.stringify(task(`task ${number}`)));
    writeFileSync(join(place.folder, "board", `T${number}.${end}`), "");
  }
  const plan = describePlan(place.folder);
  expect(plan).toMatchObject({ more: 460, landed: 1_500, dropped: 0 });
  expect(plan?.tasks.map(({ id }) => id).at(-1)).toBe("T1999");
  expect(plan?.tasks).toHaveLength(40);
  expect(plan?.lastLanded).toHaveLength(5);
});

it("a diff is read with every name as it is: renamed, not text, with line breaks, a file that became a link, and cut", async () => {
  const patch = [
    "diff --git a/old b/new\nsimilarity index 90%\n--- a/old\n+++ b/new\n@@ -1 +1 @@\n--- x\n+y\n",
    "diff --git a/pic b/pic\nindex 1..2\nBinary files a/pic and b/pic differ\n",
    "diff --git a/l b/l\ndeleted file mode 100644\nindex 1..0\n--- a/l\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n",
    "diff --git a/l b/l\nnew file mode 120000\nindex 0..1\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+y\n",
    `diff --git "a/n\\nl" "b/n\\nl"\nold mode 100644\nnew mode 100755\n`,
  ];
  const names = ["1\t1\t", "old", "new", "-\t-\tpic", "1\t1\tl", "0\t0\tn\nl\tt"];
  const output = `${names.join("\0")}\0\0${patch.join("")}`;
  expect(parseDiff(output, false)).toEqual({
    files: [
      { ...at("new", 1, "similarity index 90%\n@@ -1 +1 @@\n--- x\n+y"), from: "old" },
      at("pic", null, "Binary files a/pic and b/pic differ"),
      at("l", 1, "deleted file mode 100644\n@@ -1 +0,0 @@\n-x\nnew file mode 120000\n@@ -0,0 +1 @@\n+y"),
      at("n\nl\tt", 0, "old mode 100644\nnew mode 100755"),
    ],
    more: 0,
  });
  const cut = parseDiff(output.slice(0, output.indexOf("Binary")), true);
  expect(cut.files.map(({ isCut }) => isCut)).toEqual([false, true, true, true]);
});

function at(path: string, added: number | null, patch: string) {
  return { path, added, removed: added, patch, isCut: false };
}
