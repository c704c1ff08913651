/** What is done with a task by those who work on it and those who plan: take it, hand it in, send it back, drop it. */
import type { Role, Sender } from "../army/roles.ts";
import { OvldError } from "../system/ovld-error.ts";
import type { TaskPlace } from "./board.ts";
import { setUp } from "./check.ts";
import { branchIn, git, runGit } from "./git.ts";
import { provideTarget } from "./target.ts";
import { looksMade, placeOf, provideTree, saveWork, uncommittedFiles } from "./trees.ts";
import { requireBoard, type Work } from "./work.ts";

/**
 * Gives a role a task, with the task's branch checked out in the role's tree. Its owner may take it again. Returns where
 * the output of a failed setup of that tree is.
 */
export async function takeTask(
  work: Work,
  role: Role,
  id: string,
  stop = new AbortController().signal,
): Promise<string | undefined> {
  const place = work.board.find(id);
  requireTakeable(work, role, place);
  const tree = placeOf(work, role);
  await provideTarget(work);
  // A person may have removed it.
  if (!looksMade(work, role)) await provideTree(work, role, work.targetRef);
  const failed = (await setUp(work, role, stop))?.log;
  const current = await currentBranch(work, role);
  if (current === work.branchOf(id) && place.owner === role) return failed;
  await requireClean(work, role, `ovld task take ${id}`);
  if (current === undefined) await saveWork(work, role, tree);
  claimTask(work, role, id);
  const branch = work.branchOf(id);
  const exists =
    (await runGit(tree, ["rev-parse", "--verify", "--quiet", `refs/heads/${branch}`])).code === 0;
  // A person may have deleted the branch of a task that came back.
  const origin = work.board.lastTry(id)?.commit ?? work.targetRef;
  const which = exists ? [branch] : ["--no-track", "-b", branch, origin];
  const run = await runGit(tree, ["checkout", "-q", "--no-recurse-submodules", ...which]);
  // A failing post-checkout hook is reported as a failure, with everything done.
  if (run.code !== 0 && (await currentBranch(work, role)) !== branch)
    throw new OvldError({
      code: "git-failed",
      facts: { command: `git checkout ${branch}`, said: run.stderr.trim() },
    });
  return failed;
}

/** Makes a task a role's own: of two who want it one gets it. */
export function claimTask(work: Work, role: Role, id: string): void {
  const place = work.board.find(id);
  requireTakeable(work, role, place);
  if (place.state !== "open") return;
  requireBoard(work);
  if (!work.board.move(place, "taken", role)) throw notNow(work.board.find(id));
}

function requireTakeable(work: Work, role: Role, place: TaskPlace): void {
  const { id, state, owner } = place;
  if (owner === role && (state === "taken" || state === "returned")) return;
  if (state !== "open") throw notNow(place);
  const { to, after } = work.board.read(id);
  if (to !== undefined && to !== role)
    throw new OvldError({ code: "task-of-another", facts: { id, role: to } });
  const states = new Map(work.board.list().map((each) => [each.id, each.state]));
  const waiting = after.filter((each) => states.get(each) !== "landed");
  if (waiting.length > 0)
    throw new OvldError({ code: "task-waits", facts: { id, tasks: waiting.join(", ") } });
}

export function notNow({ id, state, owner }: TaskPlace): OvldError {
  return new OvldError({ code: "task-state", facts: { id, state, role: owner ?? "" } });
}

/** Hands in what is committed on the branch of a role's task. Returns the task's id. */
export async function handIn(work: Work, role: Role, now: Date): Promise<string> {
  const id = await currentTask(work, role);
  requireInHand(work.board.find(id), role);
  await requireClean(work, role, "ovld task done");
  await handInCommit(work, role, { id, commit: await git(placeOf(work, role), ["rev-parse", "HEAD"]) }, now);
  return id;
}

export function requireInHand(place: TaskPlace, role: Role): void {
  if (place.owner !== role || (place.state !== "taken" && place.state !== "returned")) throw notNow(place);
}

export async function handInCommit(
  work: Work,
  role: Role,
  { id, commit }: { id: string; commit: string },
  now: Date,
): Promise<void> {
  const place = work.board.find(id);
  requireInHand(place, role);
  await provideTarget(work);
  const added = await git(work.repository, ["rev-list", "--count", `${work.targetRef}..${commit}`]);
  if (added === "0")
    throw new OvldError({ code: "nothing-committed", facts: { id, branch: work.branchOf(id) } });
  const number = work.board.countTries(id) + 1;
  await git(work.repository, ["update-ref", work.handedRef(id, number), commit]);
  work.onStep("pinned");
  const waits = work.isCopy && ({ waits: true } as const);
  work.board.record(id, { number, commit, handed: now.toISOString(), ...waits });
  if (!work.board.move(place, "ready")) throw notNow(work.board.find(id));
  work.onStep("handed");
}

/** The task whose branch a role has checked out. */
export async function currentTask(work: Work, role: Role): Promise<string> {
  const branch = await currentBranch(work, role);
  const [, id] =
    work.board
      .list()
      .map(({ id: each }) => [work.branchOf(each), each] as const)
      .find(([name]) => name === branch) ?? [];
  if (id === undefined) throw new OvldError({ code: "no-task-here", facts: { branch: branch ?? "" } });
  return id;
}

function currentBranch(work: Work, role: Role): Promise<string | undefined> {
  return branchIn(placeOf(work, role));
}

async function requireClean(work: Work, role: Role, command: string): Promise<void> {
  const place = placeOf(work, role);
  const files = await uncommittedFiles(place);
  // After a merge in which everything of ours was kept, no file is different.
  if ((await runGit(place, ["rev-parse", "--verify", "--quiet", "MERGE_HEAD"])).code === 0)
    files.push("MERGE_HEAD");
  if (files.length === 0) return;
  const [file = ""] = files;
  throw new OvldError({ code: "tree-dirty", facts: { file, others: files.length - 1, command } });
}

/** Sends a task that waits for landing back to its owner, with words. */
export function returnTask(work: Work, id: string, by: Sender, said: string): TaskPlace {
  requireBoard(work);
  const place = work.board.find(id);
  const attempt = work.board.lastTry(id);
  if (place.state !== "ready") throw notNow(place);
  if (attempt !== undefined) work.board.record(id, { ...attempt, outcome: { is: "words", by, said } });
  if (!work.board.move(place, "returned")) throw notNow(work.board.find(id));
  return { ...place, state: "returned" };
}

/** Nothing is deleted: its branch stays, and what is not committed in its owner's tree is saved. */
export async function dropTask(work: Work, id: string): Promise<void> {
  requireBoard(work);
  const place = work.board.find(id);
  const { state } = place;
  if (state === "landing" || state === "landed" || state === "dropped") throw notNow(place);
  await saveUncommitted(work, place);
  if (!work.board.move(place, "dropped")) throw notNow(work.board.find(id));
}

/** What is not committed of a task that is dropped. */
export async function saveUncommitted(work: Work, { id, owner }: TaskPlace): Promise<void> {
  if (owner !== undefined && (await currentBranch(work, owner)) === work.branchOf(id))
    await saveWork(work, `${owner}-${id}`, placeOf(work, owner));
}
