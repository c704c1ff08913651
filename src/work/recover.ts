/**
 * What a killed git leaves behind would block the army, or the person: locks of refs, of an index, a half-written list of
 * refs. Here it is removed, if it is ours and no process is at work on it any more.
 */
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import * as z from "zod/mini";
import type { Role } from "../army/roles.ts";
import { pause } from "../system/async.ts";
import { withLock } from "../system/lock-file.ts";
import { OvldError } from "../system/ovld-error.ts";
import { processTable } from "../system/platform.ts";
import { findProcesses, identifyProcess, inspectProcess } from "../system/process.ts";
import { readRecord, writeRecord } from "../system/record.ts";
import { branchIn, git, runGit, splitNulls, WORK_MARK, type GitOptions } from "./git.ts";
import {
  besideIndex,
  commonFolder,
  findHalfMade,
  findTreeLocks,
  isTree,
  placeOf,
  removeTreeLocks,
  settleHalfMade,
} from "./trees.ts";
import { branchPrefix, ROLES_WITH_TREES, type Work } from "./work.ts";
import { tryTo } from "../system/file-error.ts";

const LOOK_EVERY_MS = 50;
const MOST_LOOKS = 100;

/** Runs what only one process of an army may do at a time, after the remains of a killed one are gone. */
export function withLandingLock<Result>(
  work: Work,
  stop: AbortSignal,
  action: () => Promise<Result>,
): Promise<Result> {
  return withLock(work.lock, stop, async () => {
    work.onStep("locked");
    await recoverRepository(work);
    await removeDeadLocks(work);
    writeRecord(landingNote(work), { pid: process.pid }, { lasting: false });
    try {
      return await action();
    } finally {
      rmSync(landingNote(work), { force: true });
    }
  });
}

/** Found by whoever lands next only if a process was killed meanwhile: what it had started may still be running. */
function landingNote(work: Work): string {
  return join(work.folder, "landing.json");
}

async function recoverRepository(work: Work): Promise<void> {
  const common = await commonFolder(work.repository);
  const targetLock = join(common, `${work.targetRef}.lock`);
  const pins = join(common, work.refs);
  const isDeleting = existsSync(deletionNote(work));
  // Looking through all processes takes longer than a merge.
  const isTidy = !isDeleting && ![landingNote(work), homeNote(work), targetLock].some(existsSync);
  const halfMade = findHalfMade(work);
  if (isTidy && halfMade.length === 0 && findLocks(pins).length === 0) return;
  endChecks(work);
  // The git of a process that was killed goes on, and ends soon.
  for (let looks = 0; othersAtWork(work).length > 0; looks += 1) {
    if (looks === MOST_LOOKS)
      throw new OvldError({ code: "file-unfit", facts: { path: work.home, problem: "busy" } });
    await pause(LOOK_EVERY_MS);
  }
  for (const tree of halfMade) await settleHalfMade(work, tree);
  await recoverHome(work);
  rmSync(targetLock, { force: true });
  removeLocks(pins);
  if (!isDeleting) return;
  for (const name of ["packed-refs.lock", "packed-refs.new"]) rmSync(join(common, name), { force: true });
  removeLocks(await branchesFolder(work));
  rmSync(deletionNote(work), { force: true });
}

/** Processes that were started for this army's work, and not by this process. */
function othersAtWork(work: Work): number[] {
  const isOurs = (pid: number): boolean =>
    inspectProcess(identifyProcess(pid) ?? "")?.env[WORK_MARK] === work.folder;
  return findProcesses((_words, pid) => pid !== process.pid && isOurs(pid));
}

/** A check may leave processes, and a killed process its check; nobody waits for them any more. */
export function endChecks(work: Work): void {
  for (const pid of othersAtWork(work)) {
    if (!inspectProcess(identifyProcess(pid) ?? "")?.env["OVLD_CHECK"]) continue;
    // It has just ended.
    tryTo(() => process.kill(pid, "SIGKILL"));
  }
}

/** The git of an agent was killed: its locks stop `git gc` for the person as well. What has just come there stays. */
async function removeDeadLocks(work: Work): Promise<void> {
  const branches = findLocks(await branchesFolder(work));
  const ownerOf = (path: string) => work.board.list().find(({ id }) => id === basename(path, ".lock"))?.owner;
  for (const role of ROLES_WITH_TREES) {
    const place = placeOf(work, role);
    // A person may have removed it, or made a repository of it.
    if (!statSync(join(place.folder, ".git"), { throwIfNoEntry: false })?.isFile()) continue;
    const ofBranches = branches.filter((path) => ownerOf(path) === role);
    const left = [...findTreeLocks(place), ...ofBranches].map((path) => ({ path, made: madeAt(path) }));
    if (left.length === 0 || isGitAtWork(place.folder)) continue;
    // The person's git locks a branch as well while it packs them.
    if (ofBranches.length > 0 && isGitAtWork(work.home)) continue;
    for (const { path, made } of left) if (madeAt(path) === made) rmSync(path, { force: true });
  }
}

async function branchesFolder(work: Work): Promise<string> {
  return join(await commonFolder(work.repository), "refs", "heads", branchPrefix(work.army));
}

function madeAt(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ctimeMs;
}

function isGitAtWork(folder: string): boolean {
  const table = processTable();
  const isThere = (pid: number): boolean => {
    const place = table.folder(pid);
    // Where files say it, one that is nowhere is just ending; elsewhere, it may be anywhere.
    return place === undefined ? table.source !== "files" : `${place}/`.startsWith(`${folder}/`);
  };
  return findProcesses(([program = ""], pid) => /^git\b/.test(basename(program)) && isThere(pid)).length > 0;
}

function removeLocks(folder: string): void {
  for (const path of findLocks(folder)) rmSync(path, { force: true });
}

function findLocks(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".lock"))
    .map((name) => join(folder, name));
}

/**
 * For a role whose agent is not running: a git that was killed with it may have left its locks, and an index that is
 * older than its commit. What is in the files stays as it is.
 */
export async function recoverTree(work: Work, role: Role): Promise<void> {
  const place = placeOf(work, role);
  if (!(await isTree(work, role))) return;
  removeLocks(await branchesFolder(work));
  if (!removeTreeLocks(place)) return;
  // It would forget a merge that the agent has begun.
  const isMerging = (await runGit(place, ["rev-parse", "--verify", "--quiet", "MERGE_HEAD"])).code === 0;
  if (!isMerging) await runGit(place, ["reset", "-q"]);
}

function deletionNote(work: Work): string {
  return join(work.folder, "deleting-refs.json");
}

/** Removes the branches and pins of ours whose commits git can reach from the target, in one step. */
export function removeLandedRefs(work: Work): Promise<void> {
  const patterns = [`refs/heads/${branchPrefix(work.army)}`, `${work.refs}/handed`, work.landingRef];
  return deleteRefs(work, [`--merged=${work.targetRef}`, ...patterns]);
}

/**
 * Tasks are numbered where the board is, so an earlier army may have left branches and pins of others with the same numbers
 * on a machine with a copy. New work must not go on from them, and they are kept.
 */
export function setAsideRefs(work: Work, tasks: { id: string }[]): Promise<void> {
  const patterns = tasks.flatMap(({ id }) => [
    `refs/heads/${work.branchOf(id)}`,
    `${work.refs}/handed/${id}-*`,
  ]);
  const saved = work.savedRef("%(refname:lstrip=-1)", new Date());
  return deleteRefs(work, patterns, `create ${saved} %(objectname)%0a`);
}

/** `first` is done with each ref of ours before it goes, unless it is a branch that somebody has checked out. */
async function deleteRefs(work: Work, which: string[], first = ""): Promise<void> {
  const format = `%(if)%(worktreepath)%(then)%(else)${first}delete %(refname) %(objectname)%(end)`;
  const listed = await git(work.repository, ["for-each-ref", `--format=${format}`, ...which]);
  const lines = listed.split("\n").filter(Boolean);
  if (lines.length === 0) return;
  writeRecord(deletionNote(work), { refs: lines.length });
  work.onStep("deleting");
  await git(work.repository, ["update-ref", "--stdin"], { input: `${lines.join("\n")}\n` });
  rmSync(deletionNote(work), { force: true });
  work.onStep("branches-gone");
}

const homeSchema = z.object({ from: z.string(), to: z.string() });

/** Written before the merge in the person's checkout: a git that is killed there leaves locks, and files of both commits. */
export function homeNote(work: Work): string {
  return join(work.folder, "going-home.json");
}

/** What a killed merge has put there goes back; what the person has written since stays. */
export async function recoverHome(work: Work): Promise<void> {
  const { home, repository } = work;
  const note = readRecord(homeNote(work), homeSchema);
  if (note === undefined || isGitAtWork(home)) return;
  if ((await git(repository, ["rev-parse", "HEAD"])) === note.from) {
    removeTreeLocks(repository);
    const lock = `refs/heads/${await branchIn(repository)}.lock`;
    rmSync(join(await commonFolder(repository), lock), { force: true });
    await restoreHome(work, note);
  }
  rmSync(homeNote(work), { force: true });
}

/** Whether a file is the beginning of what it is in a commit. */
async function isBegun(
  { home, repository }: Pick<Work, "home" | "repository">,
  path: string,
  commit: string,
): Promise<boolean> {
  const begun = tryTo(() => readFileSync(join(home, path)));
  if (begun === undefined) return false;
  const args = ["cat-file", "--filters", `${commit}:${path}`];
  const { code, stdout } = await runGit(repository, args, { encoding: "base64" });
  return code === 0 && Buffer.from(stdout, "base64").subarray(0, begun.length).equals(begun);
}

async function restoreHome({ home, repository }: Work, { from, to }: z.infer<typeof homeSchema>) {
  const names = ["--name-only", "--no-renames", "-z"];
  const list = async (args: string[], index?: GitOptions): Promise<string[]> =>
    splitNulls(await git(repository, args, index));
  const changed = await list(["diff", ...names, from, to]);
  const staged = new Set(await list(["diff", "--cached", ...names, from]));
  // Git had already written the index: the next merge finishes this one.
  if (changed.some((path) => staged.has(path))) return;
  const inOld = new Set(await list(["ls-files", "-z"]));
  const asNew = await besideIndex(repository, async (index) => {
    await git(repository, ["read-tree", "--reset", to], index);
    const different = new Set(await list(["diff", ...names], index));
    return new Set((await list(["ls-files", "-z"], index)).filter((path) => !different.has(path)));
  });
  // Git removes a file before it writes the new one, and was killed while it wrote one of them.
  const ours: string[] = [];
  for (const path of changed)
    if (!existsSync(join(home, path)) || asNew.has(path) || (await isBegun({ home, repository }, path, to)))
      ours.push(path);
  // What is a folder by now is not ours.
  for (const path of ours) if (!inOld.has(path)) tryTo(() => rmSync(join(home, path)));
  const input = ours.filter((path) => inOld.has(path)).join("\0");
  await git(repository, ["checkout-index", "-f", "-z", "--stdin"], { input });
}
