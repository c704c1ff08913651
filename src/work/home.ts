/**
 * Brings what has landed into the person's own branch: by a merge in their checkout that git makes only if it need not
 * touch what they have changed. Their branch is never moved under them, and what they have not committed is saved to a
 * ref first.
 */
import { existsSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import type { HomeProblem } from "../army/errors.ts";
import { writeRecord } from "../system/record.ts";
import { checkCommit } from "./check.ts";
import { branchIn, git, runGit } from "./git.ts";
import { landedChecks, merge } from "./land.ts";
import { homeNote, recoverHome, withLandingLock } from "./recover.ts";
import { moveTarget, provideTarget } from "./target.ts";
import { commitForTarget, isReachable, saveWork } from "./trees.ts";
import { requireBoard, type Work } from "./work.ts";

export type Homecoming =
  | { is: "nothing" }
  | { is: "home"; commits: number; branch: string; saved: string | undefined; unchecked: boolean }
  | { is: "refused"; problem: HomeProblem; said: string };

/** What git leaves in a checkout in which something is not finished. */
const UNFINISHED = [
  "rebase-merge",
  "rebase-apply",
  "MERGE_HEAD",
  "CHERRY_PICK_HEAD",
  "REVERT_HEAD",
  "BISECT_LOG",
];

export interface HomeOptions {
  stop: AbortSignal;
  /** Only says whether it would work. */
  dry?: boolean;
  /** Only if this branch is checked out. */
  only?: string;
}

export function bringHome(work: Work, options: HomeOptions): Promise<Homecoming> {
  requireBoard(work);
  return withLandingLock(work, options.stop, () => goHome(work, options));
}

/** `unchecked`: their branch was merged with what has landed, and nothing was there to check that. */
async function goHome(work: Work, options: HomeOptions, unchecked = false): Promise<Homecoming> {
  const { stop, dry = false, only } = options;
  await provideTarget(work);
  const { repository, targetRef } = work;
  const commits = Number(await git(repository, ["rev-list", "--count", `HEAD..${targetRef}`]));
  if (commits === 0) return { is: "nothing" };
  const branch = await branchIn(repository);
  const isWanted = only === undefined || branch === only;
  if (branch === undefined || !isWanted) return refused("no-branch", "");
  const unfinished = await findUnfinished(work);
  if (unfinished !== undefined) return refused("unfinished", unfinished);
  const head = await git(repository, ["rev-parse", "HEAD"]);
  if (!(await isReachable(work, head, targetRef))) {
    if (dry) return refused("diverged", branch);
    // The check takes its time, in which they may have switched, committed or begun something.
    const merged = await mergeTheirs(work, head, stop);
    return merged.is === "refused" ? merged : goHome(work, options, merged.is === "none");
  }
  if (dry) return { is: "home", commits, branch, saved: undefined, unchecked };
  const saved = await saveWork(work, "home", repository);
  if ((await branchIn(repository)) !== branch) return goHome(work, options, unchecked);
  const args = ["merge", "--ff-only", "--no-overwrite-ignore", "--no-autostash"];
  const to = await git(repository, ["rev-parse", targetRef]);
  writeRecord(homeNote(work), { from: head, to });
  const run = await runGit(repository, [...args, to], { env: { GIT_OPTIONAL_LOCKS: "1" } });
  work.onStep("home-merged");
  // A full disk stops it half-way; a refusal has changed nothing.
  const isWhole =
    run.code === 0 || (run.code !== null && (await saveWork(work, "home", repository)) === saved);
  if (isWhole) rmSync(homeNote(work), { force: true });
  else await recoverHome(work);
  if (run.code !== 0) return refused("in-the-way", (run.stderr || run.stdout).trim());
  return { is: "home", commits, branch, saved, unchecked };
}

function refused(problem: HomeProblem, said: string): Extract<Homecoming, { is: "refused" }> {
  return { is: "refused", problem, said };
}

async function findUnfinished(work: Work): Promise<string | undefined> {
  const paths = await git(work.repository, [
    "rev-parse",
    ...UNFINISHED.flatMap((name) => ["--git-path", name]),
  ]);
  return UNFINISHED.find((_name, at) => existsSync(resolve(work.home, paths.split("\n")[at] ?? "")));
}

/** The person has gone on: their work is merged into the target first, and checked there, so the way home stays short. */
async function mergeTheirs(work: Work, head: string, stop: AbortSignal) {
  const { repository, targetRef } = work;
  const base = await git(repository, ["rev-parse", targetRef]);
  const merged = await merge(work, base, head);
  if (!("tree" in merged)) return refused("conflict", merged.files.join("\n") || merged.said);
  const commit = await commitForTarget(
    work,
    merged.tree,
    [base, head],
    `Merge ${work.branch} into ${work.target}`,
  );
  await git(repository, ["update-ref", work.landingRef, commit]);
  const verdict = await checkCommit(work, { commit, tree: merged.tree }, landedChecks(work), stop);
  if (verdict.is === "red") return refused("red", `${verdict.command}\n${verdict.said}\n${verdict.log}`);
  await moveTarget(work, commit, base);
  return verdict;
}
