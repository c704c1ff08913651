/** Whether an army can have trees in a folder, said before anything is created, and how its work begins there. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { TreesProblem } from "../army/errors.ts";
import { OvldError } from "../system/ovld-error.ts";
import { isAtLeast } from "../system/version.ts";
import { branchIn, git, gitFailure, runGit, type GitPlace } from "./git.ts";
import { branchPrefix } from "./work.ts";

/** `git merge-tree --write-tree` is as old as this. */
const OLDEST_GIT = "2.38.0";

export interface Repository {
  /** The top folder of the person's checkout. */
  home: string;
  /** The branch that they have checked out. */
  branch: string;
  /** What works differently in trees: nothing that stops them. */
  notes: TreesNote[];
}

type TreesNote = "shallow" | "submodules" | "lfs" | "sparse";

/** Throws if there can be no trees. */
export async function examineRepository(place: GitPlace, army: string): Promise<Repository> {
  const version = await runGit(place, ["--version"]);
  if (version.failure === "missing") throw impossible("no-git");
  const [, found = "0"] = /(\d+\.\d+(?:\.\d+)?)/.exec(version.stdout) ?? [];
  if (!isAtLeast(found, OLDEST_GIT)) throw impossible("old-git", found);
  const asked = ["rev-parse", "--is-bare-repository", "--show-toplevel"];
  const top = await runGit(place, asked);
  if (top.stdout.startsWith("true")) throw impossible("bare");
  // Git uses none that belongs to somebody else, and says how to allow it.
  if (top.stderr.includes("safe.directory")) throw gitFailure(asked, top);
  if (top.code !== 0) throw impossible("no-repository");
  const home = top.stdout.split("\n")[1] ?? "";
  const here = { ...place, folder: home };
  if ((await runGit(here, ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"])).code !== 0)
    throw impossible("no-commit");
  const branch = await branchIn(here);
  if (branch === undefined) throw impossible("no-branch");
  const blocked = await findBlockedName(here, army);
  if (blocked !== undefined) throw impossible("name-taken", blocked);
  return { home, branch, notes: await findNotes(here) };
}

function impossible(problem: TreesProblem, detail = ""): OvldError {
  return new OvldError({ code: "no-trees", facts: { problem, detail } });
}

/** A branch called `ovld` leaves no room for one called `ovld/ARMY`. */
async function findBlockedName(place: GitPlace, army: string): Promise<string | undefined> {
  for (const name of ["ovld", branchPrefix(army).slice(0, -1)])
    if ((await runGit(place, ["rev-parse", "--verify", "--quiet", `refs/heads/${name}`])).code === 0)
      return name;
  return undefined;
}

async function findNotes(place: GitPlace): Promise<TreesNote[]> {
  const [shallow, sparse, attributes] = await Promise.all([
    git(place, ["rev-parse", "--is-shallow-repository"]),
    git(place, ["config", "--type=bool", "--default=false", "core.sparseCheckout"]),
    runGit(place, ["grep", "-q", "filter=lfs", "--", ".gitattributes", "**/.gitattributes"]),
  ]);
  return [
    ...(shallow === "true" ? (["shallow"] as const) : []),
    ...(existsSync(join(place.folder, ".gitmodules")) ? (["submodules"] as const) : []),
    ...(attributes.code === 0 ? (["lfs"] as const) : []),
    ...(sparse === "true" ? (["sparse"] as const) : []),
  ];
}

/** The highest number of a task of which this repository still has a branch or a commit that was handed in. */
export async function lastTaskNumber(place: GitPlace, army: string): Promise<number> {
  const patterns = [`refs/heads/${branchPrefix(army)}`, `refs/ovld/${army}/handed`];
  const names = await git(place, ["for-each-ref", "--format=%(refname)", ...patterns]);
  return Math.max(0, ...[...names.matchAll(/\/T(\d{1,6})(?:-\d+)?$/gm)].map(([, number]) => Number(number)));
}
