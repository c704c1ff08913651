/**
 * What it takes to land branches that are ready: next to a loop of `git merge` over
 * the same branches in a clone, and to running the check once.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { landReady } from "../../src/work/land.ts";
import { claimTask, handInCommit } from "../../src/work/tasks.ts";
import { openWork, type Work } from "../../src/work/work.ts";
import { beginWork, gitAs, makeWorkplace, task, type Workplace } from "../../test/support/work.ts";

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
const FIRST_COMMIT_AT = 1_790_000_000;

export async function timeLanding(
  branches: number,
  { files, check, counts, stop }: { files: number; check: string; counts: boolean; stop: AbortSignal },
): Promise<LandingTimes> {
  await using place = makeWorkplace(makeFiles(files), { check });
  // Git knows most people; for others it has to be asked more.
  gitAs(place.home, "config", "user.name", "Ann");
  gitAs(place.home, "config", "user.email", "ann@example.org");
  const begun = await beginWork(place, ["strategist"]);
  const commits = commitEach(place, begun, branches + 1);
  // The first landing of an army makes the tree for checks: that is paid once.
  await handInOne(begun, commits[0]);
  await landReady(begun, { stop, tell: () => {} });
  for (const commit of commits.slice(1)) {
    stop.throwIfAborted();
    await handInOne(begun, commit);
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

/**
 * The commits of tasks, which are numbered from one: three lines of one file, which no other touches. Without trees, which
 * would take most of the time, and with all that git stores for them in files of its own, as if agents had committed.
 */
function commitEach({ home }: Workplace, work: Work, count: number): string[] {
  const branches = Array.from({ length: count }, (_, at) => `refs/heads/${work.branchOf(`T${at + 1}`)}`);
  const input = branches.map((branch, at) => {
    const text = textAt(at, " changed");
    return [
      `commit ${branch}`,
      `committer Ann <ann@example.org> ${FIRST_COMMIT_AT + at} +0000`,
      `data ${Buffer.byteLength(branch)}\n${branch}`,
      `from ${work.targetRef}^0`,
      `M 100644 inline ${nameAt(at)}`,
      `data ${Buffer.byteLength(text)}\n${text}`,
    ].join("\n");
  });
  const settings = ["-c", "fastimport.unpackLimit=1000000"];
  execFileSync("git", [...settings, "fast-import", "--quiet"], { cwd: home, input: `${input.join("\n")}\n` });
  return gitAs(home, "rev-parse", ...branches).split("\n");
}

async function handInOne(work: Work, commit = ""): Promise<void> {
  const id = work.board.add(task("Branch"));
  claimTask(work, "inferno", id);
  await handInCommit(work, "inferno", { id, commit }, new Date());
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
