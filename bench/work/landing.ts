/**
 * What it takes to land branches that are ready: next to a loop of `git merge` over
 * the same branches in a clone, and to running the check once.
 */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { landReady } from "../../src/work/land.ts";
import { handIn, takeTask } from "../../src/work/tasks.ts";
import { openWork, type Work } from "../../src/work/work.ts";
import { beginWork, commit, gitAs, makeWorkplace, task, type Workplace } from "../../test/support/work.ts";
import { STAND_INS } from "./oracle.ts";

export interface LandingTimes {
  /** Until all have landed. */
  seconds: number;
  /** Without the runs of the check, for one branch. */
  ownPerBranch: number;
  mergePerBranch: number;
  checkOnce: number;
  /** How often git was started for all of them; zero if it was not counted, which takes time. */
  gits: number;
  /** Branches that did not land, of those that all should. */
  missing: number;
}

const FOLDERS = 20;
const LINES = 30;

export async function timeLanding(
  branches: number,
  { files, check, counts, stop }: { files: number; check: string; counts: boolean; stop: AbortSignal },
): Promise<LandingTimes> {
  await using place = makeWorkplace(makeFiles(files), { check });
  // Git knows most people; for others it has to be asked more.
  gitAs(place.home, "config", "user.name", "Ann");
  gitAs(place.home, "config", "user.email", "ann@example.org");
  const begun = await beginWork(place, [...STAND_INS, "strategist"]);
  // The first landing of an army makes the tree for checks: that is paid once.
  await handInOne(begun, 0);
  await landReady(begun, { stop, tell: () => {} });
  for (let at = 1; at <= branches; at += 1) {
    stop.throwIfAborted();
    await handInOne(begun, at);
  }
  const mergePerBranch = timeMerges(place, begun, branches);
  const checkOnce = timeCheck(begun, check);
  let checks = 0;
  const work = openWork(place.folder, place.env, (step) => (checks += step === "checking" ? 1 : 0));
  if (work === undefined) throw new Error("there is no work");
  const countGits = counts ? startCounting(place) : () => 0;
  const began = performance.now();
  await landReady(work, { stop, tell: () => {} });
  const seconds = (performance.now() - began) / 1000;
  const gits = countGits();
  const landed = new Set(gitAs(place.home, "rev-list", work.target).split("\n"));
  const tips = gitAs(place.home, "for-each-ref", "--format=%(objectname)", `${work.refs}/handed`).split("\n");
  return {
    seconds,
    ownPerBranch: (seconds - checks * checkOnce) / branches,
    mergePerBranch,
    checkOnce,
    gits,
    missing: branches + 1 - tips.filter((tip) => landed.has(tip)).length,
  };
}

/** Git itself writes down when it starts, in the HOME of this repository alone. */
function startCounting({ root }: Workplace): () => number {
  const trace = join(root, "trace");
  writeFileSync(join(root, ".gitconfig"), `[trace2]\n\teventTarget = ${trace}\n`);
  return () => readFileSync(trace, "utf8").split('"event":"start"').length - 1;
}

function makeFiles(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [nameAt(at), textAt(at, "")]));
}

function nameAt(at: number): string {
  return `folder-${at % FOLDERS}/file-${at}.txt`;
}

function textAt(at: number, more: string): string {
  return Array.from({ length: LINES }, (_, line) => `${line} of ${at}${line % 10 === 5 ? more : ""}\n`).join(
    "",
  );
}

/** Three lines of one file, which no other branch touches. */
async function handInOne(work: Work, at: number): Promise<void> {
  const role = STAND_INS[at % STAND_INS.length] ?? STAND_INS[0];
  await takeTask(work, role, work.board.add(task(`Branch ${at}`)));
  commit(work.treeOf(role), { [nameAt(at)]: textAt(at, " changed") }, `Branch ${at}`);
  await handIn(work, role, new Date());
}

/** In a clone, because what git has stored for the one would be there for the other. */
function timeMerges({ home, root }: Workplace, work: Work, branches: number): number {
  const clone = join(root, "floor");
  gitAs(root, "clone", "-q", "--no-local", "--branch", work.target, home, clone);
  const pattern = work.branchOf("*");
  gitAs(clone, "fetch", "-q", "origin", `refs/heads/${pattern}:refs/heads/${pattern}`);
  const names = gitAs(
    clone,
    "for-each-ref",
    "--no-merged=HEAD",
    "--format=%(refname)",
    `refs/heads/${pattern}`,
  );
  const began = performance.now();
  for (const name of names.split("\n")) gitAs(clone, "merge", "-q", "--no-edit", name);
  return (performance.now() - began) / 1000 / branches;
}

function timeCheck(work: Work, check: string): number {
  const began = performance.now();
  spawnSync("/bin/sh", ["-c", check], { cwd: work.home, stdio: "ignore" });
  return (performance.now() - began) / 1000;
}
