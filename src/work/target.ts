/** The target: the branch on which work lands. It is moved here only, and never under somebody who has it checked out. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { OvldError } from "../system/ovld-error.ts";
import { listFolder } from "../system/paths.ts";
import { readIfThere } from "../system/read-file.ts";
import { branchIn, git, gitFailure, runGit, type GitPlace } from "./git.ts";
import { commonFolder, isReachable } from "./trees.ts";
import type { Work } from "./work.ts";

/**
 * A person may have deleted it: then it goes on where it was, or at their branch if nothing has landed. An army that
 * begins needs nothing of an earlier one; a target that is only behind their checkout follows when an army is opened. On a
 * machine that has only a copy of the board, it begins where the board says.
 */
export async function provideTarget(work: Work, opening?: "new" | "return"): Promise<void> {
  const { repository, targetRef, landedRef, branch, base } = work;
  const has = async (ref: string): Promise<boolean> =>
    (await runGit(repository, ["rev-parse", "--verify", "--quiet", `${ref}^{commit}`])).code === 0;
  if (!(await has(targetRef))) {
    const first = base ?? (opening === "new" ? "HEAD" : `refs/heads/${branch}`);
    const origin = opening !== "new" && (await has(landedRef)) ? landedRef : first;
    await git(repository, ["update-ref", targetRef, origin, ""]);
  }
  if (opening === "new" && base !== undefined)
    await moveTarget(work, base, await git(repository, ["rev-parse", targetRef]));
  else if (opening && base === undefined && (await isReachable(work, targetRef, "HEAD")))
    await git(repository, ["update-ref", targetRef, "HEAD"]);
}

/**
 * Whoever has it checked out would undo with their next commit what has landed meanwhile; a rebase of it, during which
 * nobody has it checked out, sets it back at its end.
 */
export async function requireFreeTarget(place: GitPlace, target: string): Promise<void> {
  const ref = `refs/heads/${target}`;
  const common = await commonFolder(place);
  const added = join(common, "worktrees");
  const rebased = [common, ...listFolder(added).map((name) => join(added, name))]
    .filter((own) =>
      ["rebase-merge", "rebase-apply"].some(
        (kind) => readIfThere(join(own, kind, "head-name"))?.trim() === ref,
      ),
    )
    .map((own) => dirname(readIfThere(join(own, "gitdir"))?.trim() ?? own));
  const checkedOut = await git(place, ["for-each-ref", "--format=%(worktreepath)", ref]);
  const path = [checkedOut, ...rebased].find((each) => existsSync(each));
  if (path !== undefined) throw new OvldError({ code: "target-in-use", facts: { branch: target, path } });
}

/** Moves it on; false if somebody else has moved it. */
export async function moveTarget(work: Work, commit: string, from: string): Promise<boolean> {
  const { repository, target, targetRef, landedRef } = work;
  await requireFreeTarget(repository, target);
  // What landed on a target that was deleted or set back since is held by this ref alone; a copy leaves what others put there.
  for (const [name, old] of Object.entries({ landed: landedRef, target: from }))
    if ((await runGit(repository, ["merge-base", "--is-ancestor", old, commit])).code === 1)
      await git(repository, ["update-ref", work.savedRef(name, new Date()), old]);
  const input = `update ${targetRef} ${commit} ${from}\nupdate ${landedRef} ${commit}\n`;
  const run = await runGit(repository, ["update-ref", "--stdin"], { input });
  if (run.code === 0) return true;
  if ((await git(repository, ["rev-parse", targetRef])) === from)
    throw gitFailure(["update-ref", targetRef], run);
  return false;
}

/** What is on the target and not in what the person has checked out, and the command that brings it there. */
export async function findAhead(place: GitPlace, target: string) {
  const range = `HEAD...refs/heads/${target}`;
  const run = await runGit(place, ["rev-list", "--left-right", "--count", range]);
  const [theirs = 0, commits = 0] = run.stdout.split("\t").map(Number);
  if (run.code !== 0 || commits === 0) return undefined;
  const command = `git merge ${theirs === 0 ? "--ff-only " : ""}--no-overwrite-ignore ${target}`;
  return { target, commits, branch: (await branchIn(place)) ?? "HEAD", command };
}
