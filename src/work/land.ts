/**
 * Landing: what was handed in is merged onto the target beside every checkout, checked in a clean tree at exactly that
 * commit, published by compare-and-swap, and only then recorded as landed.
 *
 * All tasks that are ready land together, as one merge commit with all of them as parents, so that every commit on the
 * target's first-parent line was checked. If the check is red, each half is tried by itself. On every doubt git decides:
 * a task has landed if its commit is reachable from the target.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod/mini";
import { examineRecord, readRecord, writeRecord } from "../system/record.ts";
import { damaged, DAMAGED, type Outcome, type TaskPlace, type Try } from "./board.ts";
import { checkCommit, type RedVerdict } from "./check.ts";
import { git, gitFailure, runGit } from "./git.ts";
import { withLandingLock } from "./recover.ts";
import { moveTarget, provideTarget, requireFreeTarget } from "./target.ts";
import {
  commitForTarget,
  commitTree,
  findReachable,
  isReachable,
  looksMade,
  placeOf,
  uncommittedFiles,
} from "./trees.ts";
import { requireBoard, type Work } from "./work.ts";

export type LandingNews =
  | { landed: TaskPlace[]; checked: boolean }
  | { returned: TaskPlace; outcome: Outcome; times: number }
  /** The target itself is red, or cannot be set up: no task is to blame. */
  | { red: RedVerdict };

export interface LandingOptions {
  stop: AbortSignal;
  /** Called before the board shows it; after a crash it may be called again for the same news. */
  tell: (news: LandingNews) => void;
  /** Also what was red on a target that was red itself: what the repository does not contain may have been mended. */
  again?: boolean;
}

interface Candidate {
  place: TaskPlace;
  attempt: Try;
}

const ENOUGH_MESSAGES = 10;

/** Lands everything that is ready, and waits for another process that is landing. */
export function landReady(work: Work, options: LandingOptions): Promise<void> {
  requireBoard(work);
  return withLandingLock(work, options.stop, async () => {
    await provideTarget(work);
    await requireFreeTarget(work.repository, work.target);
    await settleInterrupted(work, options);
    if (options.again) rmSync(redFile(work), { force: true });
    for (let batch = await claimReady(work); batch.length > 0; batch = await claimReady(work)) {
      await landTogether(work, batch, options);
      options.stop.throwIfAborted();
    }
    await followTarget(work);
    // The others have landed; this names the file.
    for (const { id, state } of work.board.list()) if (state === "ready") work.board.requireWhole(id);
  });
}

/** What a killed process was landing has landed, if git says so; otherwise it is ready once more. */
async function settleInterrupted(work: Work, options: LandingOptions): Promise<void> {
  const waiting = work.board
    .list()
    .filter(({ state }) => state === "landing" || state === "ready")
    .flatMap((place): Candidate[] => {
      const attempt = work.board.lastTry(place.id);
      if (attempt !== undefined) return [{ place, attempt }];
      work.board.move(place, "ready");
      return [];
    });
  const commits = waiting.flatMap(({ attempt: { landing, commit } }) =>
    landing === undefined ? [commit] : [landing.commit, commit],
  );
  const landed = await findReachable(work, commits, work.targetRef);
  for (const { place, attempt } of waiting) {
    const { landing, commit } = attempt;
    if (landing !== undefined && landed.has(landing.commit))
      settle(work, [{ place, attempt }], landing, options);
    // Somebody else has merged it: nothing of ours has checked it.
    else if (landed.has(commit)) settle(work, [{ place, attempt }], { commit, checked: false }, options);
    else if (place.state === "landing") work.board.move(place, "ready");
  }
}

/** One whose files are damaged waits. */
async function claimReady(work: Work): Promise<Candidate[]> {
  const red = await readRedTarget(work);
  const ready = work.board.list().filter(({ state }) => state === "ready");
  return ready.flatMap((place) => {
    const attempt = work.board.lastTry(place.id);
    if (attempt === undefined || work.board.look(place.id) === DAMAGED) return [];
    if (red?.commits.includes(attempt.commit)) return [];
    if (!work.board.move(place, "landing")) return [];
    work.onStep("claimed");
    return [{ place: { ...place, state: "landing" as const }, attempt }];
  });
}

async function landTogether(work: Work, batch: Candidate[], options: LandingOptions): Promise<void> {
  const base = await git(work.repository, ["rev-parse", work.targetRef]);
  const { tree, merged, later } = await mergeAll(work, base, batch, options);
  work.onStep("merged");
  if (merged.length > 0) await landMerged(work, { base, tree, merged }, options);
  for (const { place } of later) work.board.move(place, "ready");
}

/** Merges one after the other. What conflicts only with another of the batch has to wait until that one has landed. */
async function mergeAll(work: Work, base: string, batch: Candidate[], options: LandingOptions) {
  let [tip, tree] = [base, ""];
  let last: string | undefined;
  const merged: Candidate[] = [];
  const later: Candidate[] = [];
  for (const candidate of batch) {
    const { commit } = candidate.attempt;
    // Git merges commits, so what is merged so far has to be one.
    if (last !== undefined) tip = await commitTree(work, tree, [tip, last], "A step of a landing");
    last = undefined;
    const both = await merge(work, tip, commit);
    if ("tree" in both) {
      tree = both.tree;
      last = commit;
      merged.push(candidate);
      continue;
    }
    const alone = tip === base ? both : await merge(work, base, commit);
    if ("tree" in alone) later.push(candidate);
    else giveBack(work, candidate, { is: "conflict", ...alone }, options);
  }
  return { tree, merged, later };
}

/** Merges two commits beside every checkout; no text is ever merged by guessing. */
export async function merge(
  work: Work,
  ours: string,
  theirs: string,
): Promise<{ tree: string } | { files: string[]; said: string }> {
  const args = ["merge-tree", "--write-tree", "--name-only", "--messages", "-z", ours, theirs];
  const run = await runGit(work.repository, args);
  const { code, stdout, stderr } = run;
  const [tree = "", ...rest] = stdout.split("\0");
  if (code === 0) return { tree };
  if (stderr.includes("unrelated histories")) return { files: [], said: stderr.trim() };
  // Anything else is a fault of git or the disk, and not of the work.
  if (code !== 1 || tree === "") throw gitFailure(args, run);
  const end = rest.indexOf("");
  const messages = rest.slice(end + 1).flatMap((part) => (part.includes(" ") ? [part.trim()] : []));
  return { files: [...new Set(rest.slice(0, end))], said: messages.slice(0, ENOUGH_MESSAGES).join("\n") };
}

async function landMerged(
  work: Work,
  { base, tree, merged }: { base: string; tree: string; merged: Candidate[] },
  options: LandingOptions,
): Promise<void> {
  const ids = merged.map(({ place }) => place.id).join(", ");
  const parents = [base, ...merged.map(({ attempt }) => attempt.commit)];
  const commit = await commitForTarget(work, tree, parents, `Land ${ids}\n\n${titles(work, merged)}`);
  await git(work.repository, ["update-ref", work.landingRef, commit]);
  work.onStep("kept");
  const verdict = await checkCommit(work, { commit, tree }, checksFor(work, merged), options.stop);
  work.onStep("checked");
  const [first] = merged;
  if (verdict.is === "red") {
    if (merged.length === 1 && first) {
      if (!(await blameTarget(work, base, first, verdict, options))) giveBack(work, first, verdict, options);
      return;
    }
    const half = Math.ceil(merged.length / 2);
    await landTogether(work, merged.slice(0, half), options);
    return landTogether(work, merged.slice(half), options);
  }
  const landing = { commit, checked: verdict.is === "green" };
  const landed = merged.map((each) => ({ ...each, attempt: { ...each.attempt, landing } }));
  for (const { place, attempt } of landed) work.board.record(place.id, attempt);
  work.onStep("before-swap");
  const isMoved = await moveTarget(work, commit, base);
  work.onStep("swapped");
  if (isMoved) settle(work, landed, landing, options);
  // Somebody else has moved the target: what was checked is not what would be there.
  else for (const { place } of merged) work.board.move(place, "ready");
}

const redSchema = z.object({ target: z.string(), command: z.string(), commits: z.array(z.string()) });

const redFile = (work: Work): string => join(work.folder, "red-target.json");

/** What failed on the target itself, and what was handed in and failed there as well; undefined when the target has moved. */
async function readRedTarget(work: Work): Promise<z.infer<typeof redSchema> | undefined> {
  const red = readRecord(redFile(work), redSchema);
  if (red?.target !== (red && (await git(work.repository, ["rev-parse", work.targetRef])))) return undefined;
  return red;
}

/**
 * If the target is red without it, a task stays ready until the target has moved; otherwise every task would come back,
 * and cost its owner's tokens. What mends the target is green, and lands.
 */
async function blameTarget(
  work: Work,
  target: string,
  { place, attempt }: Candidate,
  { command }: RedVerdict,
  options: LandingOptions,
): Promise<boolean> {
  const common = landedChecks(work);
  if (command !== work.setup && !common.includes(command)) return false;
  let red = await readRedTarget(work);
  if (red === undefined) {
    const tree = await git(work.repository, ["rev-parse", `${target}^{tree}`]);
    const verdict = await checkCommit(work, { commit: target, tree }, common, options.stop);
    if (verdict.is !== "red") return false;
    red = { target, command: verdict.command, commits: [] };
    options.tell({ red: verdict });
  }
  const isSame = red.command === command;
  writeRecord(redFile(work), isSame ? { ...red, commits: [...red.commits, attempt.commit] } : red);
  return isSame && work.board.move(place, "ready");
}

function titles(work: Work, merged: Candidate[]): string {
  return merged.map(({ place }) => `${place.id}: ${work.board.read(place.id).title}`).join("\n");
}

/** The project's check, and those of everything that has landed: what merges cleanly may still be red together. */
function checksFor(work: Work, merged: Candidate[]): string[] {
  const own = merged.flatMap(({ place }) => work.board.read(place.id).check ?? []);
  return [...new Set([...landedChecks(work), ...own])];
}

export function landedChecks(work: Work): string[] {
  return [...(work.check === undefined ? [] : [work.check]), ...readChecks(work)];
}

const checksSchema = z.array(z.string());

function checksFile(work: Work): string {
  return join(work.folder, "landed-checks.json");
}

function readChecks(work: Work): string[] {
  const file = examineRecord(checksFile(work), checksSchema);
  if ("content" in file) return file.content;
  if ("missing" in file) return [];
  // What has landed would go on unchecked.
  throw damaged(checksFile(work));
}

function settle(
  work: Work,
  landed: Candidate[],
  { commit, checked }: { commit: string; checked: boolean },
  options: LandingOptions,
): void {
  const known = readChecks(work);
  const own = landed.flatMap(({ place }) => work.board.look(place.id).check ?? []);
  const all = new Set([...known, ...own]);
  if (all.size > known.length) writeRecord(checksFile(work), [...all]);
  for (const { place, attempt } of landed)
    work.board.record(place.id, { ...attempt, outcome: { is: "landed", commit, checked } });
  work.onStep("recorded");
  options.tell({ landed: landed.map(({ place }) => place), checked });
  for (const { place } of landed) work.board.move(place, "landed");
  work.onStep("settled");
}

function giveBack(
  work: Work,
  { place, attempt }: Candidate,
  outcome: Outcome,
  options: LandingOptions,
): void {
  work.board.record(place.id, { ...attempt, outcome });
  options.tell({ returned: place, outcome, times: attempt.number });
  work.board.move(place, "returned");
  work.onStep("settled");
}

/** The strategist plans on what has landed: its tree follows the target while nothing in it is changed. */
async function followTarget(work: Work): Promise<void> {
  if (!looksMade(work, "strategist")) return;
  const place = placeOf(work, "strategist");
  const run = await runGit(place, ["rev-parse", "HEAD", work.targetRef, "--symbolic-full-name", "HEAD"]);
  const [head = "", target, branch] = run.stdout.split("\n");
  if (run.code !== 0 || head === target || branch !== "HEAD") return;
  const isBehind = await isReachable(work, head, work.targetRef);
  if (isBehind && (await uncommittedFiles(place)).length === 0)
    await runGit(place, ["checkout", "-q", "--no-recurse-submodules", "--detach", work.targetRef]);
}
