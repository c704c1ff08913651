/**
 * The trees: a git worktree for each role, and one in which merged work is checked. They lie outside the repository,
 * where neither tools nor `git clean` come across them.
 *
 * A killed git can leave a half-made tree that stops `git worktree` and `git gc` for the person as well. So a note says
 * which tree is being made; what is found under it is removed, and nothing else is.
 */
import {
  accessSync,
  constants,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  rmSync,
  statSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import * as z from "zod/mini";
import { removeTree } from "../system/durable-files.ts";
import { OvldError } from "../system/ovld-error.ts";
import { listFolder, resolveLinks } from "../system/paths.ts";
import { readIfThere } from "../system/read-file.ts";
import { identifyOurselves, isProcessAlive } from "../system/process.ts";
import { runProgram } from "../system/run-program.ts";
import { readRecord, writeRecord } from "../system/record.ts";
import { git, gitFailure, runGit, splitNulls, type GitOptions, type GitPlace } from "./git.ts";
import { LANDING, TREE_NAMES, type TreeName, type Work } from "./work.ts";
import { hasErrorCode, succeeds } from "../system/file-error.ts";

export function placeOf(work: Work, tree: TreeName): GitPlace {
  return { folder: work.treeOf(tree), env: work.env };
}

/** Makes a tree at a commit, on no branch, unless it is there. Returns whether it was made. */
export async function provideTree(work: Work, tree: TreeName, at: string): Promise<boolean> {
  const folder = work.treeOf(tree);
  const note = makingNote(work, tree);
  if (existsSync(note)) await settleHalfMade(work, tree);
  if (await isTree(work, tree)) return false;
  if (existsSync(folder)) {
    // The repository or the tree was moved. There may be work in the folder, so what cannot be repaired stays.
    await runGit(work.repository, ["worktree", "repair", folder]);
    if (await isTree(work, tree)) return false;
    throw new OvldError({ code: "tree-broken", facts: { path: folder } });
  }
  await forgetTree(work, tree);
  mkdirSync(dirname(folder), { recursive: true, mode: 0o700 });
  writeRecord(note, { maker: identifyOurselves() });
  work.onStep("tree-noted");
  const run = await runGit(work.repository, ["worktree", "add", "--detach", folder, at]);
  work.onStep("tree-added");
  // A failing post-checkout hook is reported as a failure, with a complete tree; a git that was killed leaves half of one.
  if (run.code === null || (run.code !== 0 && !(await isTree(work, tree)))) {
    await discardTree(work, tree);
    rmSync(note, { force: true });
    throw gitFailure(["worktree", "add", folder], run);
  }
  await include(work, tree);
  rmSync(note, { force: true });
  return true;
}

/** Copies the ignored files that the project names, such as local settings: Git has them in the main checkout only. */
async function include(work: Work, tree: TreeName): Promise<void> {
  const { home, repository } = work;
  if (!existsSync(join(home, ".worktreeinclude"))) return;
  const named = await git(repository, [
    "ls-files",
    "-z",
    "--others",
    "--ignored",
    "--exclude-from=.worktreeinclude",
  ]);
  const ignored = await runGit(repository, ["check-ignore", "-z", "--stdin"], { input: named });
  const landed = new Set(splitNulls(await git(placeOf(work, tree), ["ls-files", "-z"])));
  for (const file of splitNulls(ignored.stdout)) {
    const target = join(work.treeOf(tree), file);
    // A name that is not UTF-8 is not found.
    if (landed.has(file) || !existsSync(join(home, file))) continue;
    try {
      mkdirSync(dirname(target), { recursive: true });
      cpSync(join(home, file), target, { recursive: true });
    } catch (error) {
      // A file may have landed where there is a folder here.
      if (!hasErrorCode(error, "EEXIST", "ENOTDIR")) throw error;
    }
  }
}

function makingNote(work: Work, tree: TreeName): string {
  return join(work.folder, `making-${tree}.json`);
}

const noteSchema = z.object({ maker: z.string(), removes: z.optional(z.literal(true)) });

/** Trees that a killed process was making or removing: until they are gone, git may stop at them for the person, too. */
export function findHalfMade(work: Work): TreeName[] {
  return TREE_NAMES.filter((tree) => {
    const note = readRecord(makingNote(work, tree), noteSchema);
    return note !== undefined && !isProcessAlive(note.maker);
  });
}

/** What a killed process was making or removing. If git had made it, an agent may have worked in it since. */
export async function settleHalfMade(work: Work, tree: TreeName): Promise<void> {
  const place = placeOf(work, tree);
  const note = makingNote(work, tree);
  const isOurs = tree !== LANDING && (await isTree(work, tree));
  const removes = readRecord(note, noteSchema)?.removes;
  // Git writes it last.
  if (isOurs && !removes && existsSync(join(ownFolder(place), "index"))) await include(work, tree);
  else {
    // Only what is missing, so that what is saved is what somebody has written there since.
    if (isOurs && removes) await runGit(place, ["checkout-index", "--all", "--quiet"]);
    if (isOurs) await saveWork(work, tree, place);
    await discardTree(work, tree);
  }
  rmSync(note, { force: true });
}

/** Whether a tree looks complete, without asking git: enough for one who notices if it is not. */
export function looksMade(work: Work, tree: TreeName): boolean {
  return existsSync(join(work.treeOf(tree), ".git")) && !existsSync(makingNote(work, tree));
}

/** Whether it is a tree of this repository. */
export async function isTree(work: Work, tree: TreeName): Promise<boolean> {
  const place = placeOf(work, tree);
  if (!existsSync(join(place.folder, ".git"))) return false;
  const run = await runGit(place, ["rev-parse", "--git-common-dir", "--verify", "--quiet", "HEAD^{commit}"]);
  const [common = ""] = run.stdout.split("\n");
  const theirs = resolveLinks(resolve(place.folder, common));
  return run.code === 0 && theirs === resolveLinks(await commonFolder(work.repository));
}

/** For a tree in which nobody has worked. */
export async function discardTree(work: Work, tree: TreeName): Promise<void> {
  for (const path of await adminFolders(work, tree)) removeTree(path);
  const folder = work.treeOf(tree);
  try {
    removeTree(folder);
  } catch {
    // Caches of packages are often read-only, and so cannot be removed.
    await runProgram("chmod", ["-R", "u+rwX", folder], { env: work.env, deadlineMs: 60_000 });
    removeTree(folder);
  }
}

/** Git refuses a name that it still has, although its folder is gone; what was committed there on no branch is kept. */
async function forgetTree(work: Work, tree: TreeName): Promise<void> {
  for (const path of await adminFolders(work, tree)) {
    const head = readIfThere(join(path, "HEAD"))?.trim() ?? "";
    if (/^[\da-f]{40,}$/.test(head) && !(await isReachable(work, head, work.targetRef)))
      await runGit(work.repository, ["update-ref", work.savedRef(tree, new Date()), head]);
    removeTree(path);
  }
}

/** What git keeps about a tree. A git that was killed early has not yet written whose it is. */
async function adminFolders(work: Work, tree: TreeName): Promise<string[]> {
  const all = join(await commonFolder(work.repository), "worktrees");
  const folder = resolveLinks(work.treeOf(tree));
  const isOurs = (name: string): boolean => {
    const owner = readIfThere(join(all, name, "gitdir"))?.trim() ?? "";
    return owner === ""
      ? name === basename(folder)
      : resolveLinks(resolve(all, name, owner)) === join(folder, ".git");
  };
  return listFolder(all)
    .filter(isOurs)
    .map((name) => join(all, name));
}

/** The folder of the repository itself, which all of its trees share. */
export async function commonFolder(place: GitPlace): Promise<string> {
  // Mostly it is in the checkout itself; git has to be asked if the checkout is an additional worktree or a submodule.
  const usual = join(place.folder, ".git");
  if (statSync(usual, { throwIfNoEntry: false })?.isDirectory()) return usual;
  if (!existsSync(place.folder))
    throw new OvldError({ code: "file-unfit", facts: { path: place.folder, problem: "unreadable" } });
  return resolve(place.folder, await git(place, ["rev-parse", "--git-common-dir"]));
}

/** The locks in a tree, of a git that is at work there or was killed. */
export function findTreeLocks(place: GitPlace): string[] {
  const folder = ownFolder(place);
  return ["index.lock", "HEAD.lock", "ORIG_HEAD.lock"].map((name) => join(folder, name)).filter(existsSync);
}

/** The caller knows that no git is running there. Whether there were any. */
export function removeTreeLocks(place: GitPlace): boolean {
  const left = findTreeLocks(place);
  for (const path of left) rmSync(path, { force: true });
  return left.length > 0;
}

/** What git keeps for one tree alone: in an additional one the file `.git` names that folder. */
function ownFolder({ folder }: GitPlace): string {
  const [, path = ".git"] = /^gitdir: (.*)$/m.exec(readIfThere(join(folder, ".git")) ?? "") ?? [];
  return resolve(folder, path);
}

/** The changed and new files of a tree that are not committed; none if it is clean. */
export async function uncommittedFiles(place: GitPlace): Promise<string[]> {
  const entries = splitNulls(await git(place, ["status", "--porcelain", "-z", "-uall", "--no-renames"]));
  return entries.map((entry) => entry.slice(3));
}

/**
 * A commit of everything in a tree that is not ignored, made beside its index: nothing in the tree changes. Undefined if
 * everything is committed.
 */
export async function snapshot(work: Work, place: GitPlace): Promise<string | undefined> {
  if ((await uncommittedFiles(place)).length === 0) return undefined;
  return besideIndex(place, async (beside) => {
    await addAll(place, beside);
    const tree = await git(place, ["write-tree"], beside);
    const head = await git(place, ["rev-parse", "HEAD"]);
    return commitTree(work, tree, [head], "Uncommitted work, saved by ovld");
  });
}

/** Gives git a copy of a tree's index, with what it knows about unchanged files, so that it need not read them all. */
export async function besideIndex<Result>(
  place: GitPlace,
  action: (options: GitOptions) => Promise<Result>,
): Promise<Result> {
  const own = join(ownFolder(place), "index");
  const index = `${own}.ovld-${process.pid}`;
  try {
    if (existsSync(own)) copyFileSync(own, index);
    return await action({ env: { GIT_INDEX_FILE: index } });
  } finally {
    for (const path of [index, `${index}.lock`]) rmSync(path, { force: true });
  }
}

/** Git can add neither a repository without a commit nor a file that nobody may read. */
async function addAll(place: GitPlace, beside: GitOptions): Promise<void> {
  const args = ["add", "-A", "--sparse", "--ignore-errors"];
  const run = await runGit(place, args, beside);
  if (run.code === 0) return;
  const left = await git(place, ["ls-files", "-z", "--others", "--modified", "--exclude-standard"], beside);
  if (
    splitNulls(left).some(
      (name) => !name.endsWith("/") && succeeds(() => accessSync(join(place.folder, name), constants.R_OK)),
    )
  )
    throw gitFailure(args, run);
}

/** What was committed on no branch, and is not in the target. */
async function strayCommit(work: Work, place: GitPlace): Promise<string | undefined> {
  if ((await runGit(place, ["symbolic-ref", "--quiet", "HEAD"])).code === 0) return undefined;
  const head = await git(place, ["rev-parse", "HEAD"]);
  return (await isReachable(work, head, work.targetRef)) ? undefined : head;
}

/** Keeps what is not committed in a tree, or on no branch, under a ref of ours; returns the ref, or undefined if there is nothing. */
export async function saveWork(work: Work, name: string, place: GitPlace): Promise<string | undefined> {
  const commit = (await snapshot(work, place)) ?? (await strayCommit(work, place));
  if (commit === undefined) return undefined;
  // The same may be there already, as from a merge that was refused.
  const same = await git(work.repository, ["show", "-s", "--format=%T %P", commit]);
  const format = "--format=%(refname) %(tree) %(parent)";
  const known = (await git(work.repository, ["for-each-ref", format, `${work.refs}/saved`])).split("\n");
  const [before] = known.find((line) => line.endsWith(` ${same}`))?.split(" ") ?? [];
  if (before !== undefined) return before;
  const ref = work.savedRef(name, new Date());
  await git(work.repository, ["update-ref", ref, commit]);
  work.onStep("saved");
  return ref;
}

/** For those who have not told git who they are, and for what nobody ever sees. */
const OURSELVES = ["-c", "user.name=ovld", "-c", "user.email=ovld@localhost"];

/** A commit that is on no branch yet, and is not signed. */
export async function commitTree(
  { repository }: Work,
  tree: string,
  parents: string[],
  message: string,
  how: string[] = [],
): Promise<string> {
  const origin = parents.flatMap((parent) => ["-p", parent]);
  // Not as an argument, which the system limits.
  const args = ["commit-tree", ...how, tree, ...origin, "-F", "-"];
  const run = await runGit(repository, args, { input: message });
  if (run.code === 0) return run.stdout.trim();
  // Mostly the person is known, so that is asked only if git could not commit.
  if ((await runGit(repository, ["var", "GIT_COMMITTER_IDENT"])).code === 0) throw gitFailure(args, run);
  return git(repository, [...OURSELVES, ...args], { input: message });
}

/** The same as commitTree for one that will be on the target: it is signed if the person signs theirs. */
export async function commitForTarget(
  work: Work,
  tree: string,
  parents: string[],
  message: string,
): Promise<string> {
  const signs = await git(work.repository, ["config", "--type=bool", "--default=false", "commit.gpgsign"]);
  return commitTree(work, tree, parents, message, signs === "true" ? ["-S"] : []);
}

/** Puts the files of a commit into a tree, on no branch, whatever has been changed in them. */
export async function checkOutDetached(place: GitPlace, commit: string, options?: GitOptions): Promise<void> {
  // Git cannot follow into submodules that nobody has set up in this tree.
  const args = ["checkout", "-q", "-f", "--no-recurse-submodules", "--detach", commit];
  const run = await runGit(place, args, options);
  // A failing post-checkout hook is reported as a failure, with everything done.
  const isDone = async (): Promise<boolean> =>
    (await runGit(place, ["diff", "--quiet", "HEAD", commit])).code === 0 &&
    (await runGit(place, ["diff", "--quiet", commit])).code === 0;
  options?.stop?.throwIfAborted();
  if (run.code !== 0 && !(await isDone())) throw gitFailure(args, run);
}

export async function isReachable(work: Work, commit: string, from: string): Promise<boolean> {
  return (await runGit(work.repository, ["merge-base", "--is-ancestor", commit, from])).code === 0;
}

/** Those commits that can be reached from a ref; one that git does not have cannot. */
export async function findReachable(work: Work, commits: string[], from: string): Promise<Set<string>> {
  if (commits.length === 0) return new Set();
  const input = [`^${from}`, ...commits].map((line) => `${line}\n`).join("");
  const run = await runGit(work.repository, ["rev-list", "--stdin"], { input });
  // Mostly none can be reached, and this says so at once. It fails for all if git does not have one of them.
  const others = new Set(run.code === 0 ? run.stdout.split("\n") : []);
  const found = new Set<string>();
  for (const commit of commits)
    if (!others.has(commit) && (await isReachable(work, commit, from))) found.add(commit);
  return found;
}

/**
 * Removes a tree in which there is nothing that the target does not have; otherwise it stays. What is not committed is
 * saved first in any case.
 */
export async function closeTree(work: Work, tree: TreeName): Promise<"removed" | "kept"> {
  const place = placeOf(work, tree);
  if (tree === LANDING) {
    await discardTree(work, tree);
    return "removed";
  }
  if (!(await isTree(work, tree))) return existsSync(place.folder) ? "kept" : "removed";
  const saved = await saveWork(work, tree, place);
  const head = await git(place, ["rev-parse", "HEAD"]);
  if (saved !== undefined || !(await isReachable(work, head, work.targetRef))) return "kept";
  writeRecord(makingNote(work, tree), { maker: identifyOurselves(), removes: true });
  const run = await runGit(work.repository, ["worktree", "remove", place.folder]);
  work.onStep("tree-removed");
  // Whoever needs the tree next finishes what a git that was killed has begun.
  if (run.code !== null) rmSync(makingNote(work, tree), { force: true });
  return run.code === 0 ? "removed" : "kept";
}
