import { spawn } from "node:child_process";
import { once } from "node:events";
import { renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { closeTrees } from "../../../src/summon/army-trees.ts";
import { OvldError } from "../../../src/system/ovld-error.ts";
import { withLandingLock } from "../../../src/work/recover.ts";
import { handIn, takeTask } from "../../../src/work/tasks.ts";
import { beginWork, commit, makeWorkplace, task, type Workplace } from "../../support/work.ts";

it("the trees of an army that ends are left alone while somebody lands, and otherwise closed with what a check has left running", async () => {
  await using place = makeWorkplace({ "a.txt": "one\n" });
  const work = await beginWork(place, ["inferno"]);
  const relayDir = dirname(place.folder);
  await withLandingLock(work, new AbortController().signal, async () => {
    expect(await closeTrees(relayDir, place.env)).toMatchObject({
      trees: [work.treeOf("inferno")],
      problem: { report: { code: "file-unfit", facts: { problem: "busy" } } },
    });
  });
  const check = spawn("sleep", ["1000"], { env: { ...work.env, OVLD_CHECK: "1" } });
  const ended = once(check, "exit");
  await once(check, "spawn");
  expect(await closeTrees(relayDir, place.env)).toEqual({ trees: [], tasks: [], ahead: undefined });
  expect(await ended).toEqual([null, "SIGKILL"]);
});

it.each([
  [
    "a tree is broken",
    ({ home }: Workplace) => writeFileSync(join(home, ".git/worktrees/ovld-overlord-storm/index"), "broken"),
    ["inferno", "storm"],
  ],
  [
    "the repository was renamed",
    ({ home }: Workplace) => renameSync(home, `${home}-2`),
    ["strategist", "inferno", "storm"],
  ],
] as const)(
  "if %s, an army that ends still names all trees with work and what was handed in",
  async (_what, spoil, roles) => {
    await using place = makeWorkplace({ "a.txt": "one\n" });
    const work = await beginWork(place, ["strategist", "inferno", "storm"]);
    const id = work.board.add(task("Work"));
    await takeTask(work, "inferno", id);
    commit(work.treeOf("inferno"), { "b.txt": "b\n" });
    await handIn(work, "inferno", new Date());
    spoil(place);
    const left = await closeTrees(dirname(place.folder), place.env);
    expect(left?.trees).toEqual(roles.map((role) => work.treeOf(role)));
    expect(left?.tasks).toMatchObject([{ id, state: "ready" }]);
    expect(left?.problem).toBeInstanceOf(OvldError);
  },
);
