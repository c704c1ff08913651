import { expect, it } from "vitest";
import { mailAboutOverlaps } from "../../../src/work/overlap.ts";
import { takeTask } from "../../../src/work/tasks.ts";
import { beginWork, commit, gitAs, makeWorkplace, task, write } from "../../support/work.ts";

it("two who would conflict are told once, while they work; those who change a file in different places are not", async () => {
  const lines = Array.from({ length: 40 }, (_, at) => `line ${at}`);
  const text = (at: number, word: string): string =>
    lines.map((line, each) => (each === at ? word : line)).join("\n");
  await using place = makeWorkplace({ "a.txt": text(-1, "") });
  const work = await beginWork(place, ["inferno", "storm", "shadow"]);
  const [first, second, third] = ["One", "Two", "Three"].map((title) => work.board.add(task(title)));
  await takeTask(work, "inferno", first ?? "");
  await takeTask(work, "storm", second ?? "");
  await takeTask(work, "shadow", third ?? "");
  commit(work.treeOf("inferno"), { "a.txt": text(3, "inferno") });
  write(work.treeOf("storm"), { "a.txt": text(3, "storm") });
  write(work.treeOf("shadow"), { "a.txt": text(30, "shadow") });
  const before = gitAs(work.treeOf("storm"), "status", "--porcelain");
  const drafts = await mailAboutOverlaps(work);
  expect(drafts.map(({ to, subject }) => [to, subject])).toEqual([
    ["inferno", "T1 and T2 would conflict in a.txt"],
    ["storm", "T2 and T1 would conflict in a.txt"],
  ]);
  expect(gitAs(work.treeOf("storm"), "status", "--porcelain")).toBe(before);
  expect(await mailAboutOverlaps(work)).toEqual([]);
});
