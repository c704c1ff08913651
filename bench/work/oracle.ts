/**
 * The oracle army: four stand-ins apply known patches in trees of their own, hand them in, and mend what comes back.
 * What has become of the work is read from git afterwards, past everything that ovld has recorded.
 */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Role } from "../../src/army/roles.ts";
import { landReady, type LandingNews } from "../../src/work/land.ts";
import { handIn, takeTask } from "../../src/work/tasks.ts";
import type { Work } from "../../src/work/work.ts";
import { beginWork, gitAs, makeWorkplace, task, type Workplace } from "../../test/support/work.ts";
import { CHECK, type Group, type Patch, type PlannedTask } from "./plan.ts";

const STAND_INS = ["inferno", "glacier", "shadow", "storm"] as const satisfies Role[];

export interface Tally {
  tasks: number;
  landedAtOnce: number;
  returnedForConflict: number;
  returnedRed: number;
  landedAfterMending: number;
  /** First-parent commits of the target at which the check fails. */
  landedRed: string[];
  /** Commits that were handed in and are held by nothing, and tasks whose work is not in the target at the end. */
  lost: string[];
}

export function emptyTally(): Tally {
  return {
    tasks: 0,
    landedAtOnce: 0,
    returnedForConflict: 0,
    returnedRed: 0,
    landedAfterMending: 0,
    landedRed: [],
    lost: [],
  };
}

interface Assignment {
  id: string;
  role: Role;
  planned: PlannedTask;
}

interface Scene {
  place: Workplace;
  work: Work;
  group: Group;
  tally: Tally;
  stop: AbortSignal;
  handed: string[];
}

/** More than a task can need if each owner mends alone. */
const MOST_TRIES = 3;

export async function playGroup(group: Group, tally: Tally, stop: AbortSignal): Promise<void> {
  await using place = makeWorkplace(group.files, { check: CHECK });
  const work = await beginWork(place, [...STAND_INS, "strategist"]);
  const scene: Scene = { place, work, group, tally, stop, handed: [] };
  const assignments = group.tasks.map((planned, at) => ({
    planned,
    id: work.board.add(task(planned.title)),
    role: STAND_INS[at % STAND_INS.length] ?? STAND_INS[0],
  }));
  tally.tasks += assignments.length;
  // If one fails, the others must not go on in a folder that is being removed.
  const begun = await Promise.allSettled(assignments.map((each) => begin(scene, each)));
  for (const each of begun) if (each.status === "rejected") throw each.reason;
  count(tally, await land(scene), "landedAtOnce");
  // One after the other: two who mend the same lines at once would only meet again.
  for (const each of assignments) await mend(scene, each);
  verify(scene, assignments);
}

async function begin(scene: Scene, { id, role, planned }: Assignment): Promise<void> {
  const { work } = scene;
  await takeTask(work, role, id);
  const tree = work.treeOf(role);
  for (const patch of planned.patches) apply(tree, patch);
  await commitAndHandIn(scene, role, planned.title);
}

function apply(tree: string, { file, line, by }: Patch): void {
  const path = join(tree, file);
  const lines = readFileSync(path, "utf8").split("\n");
  if (!lines.includes(line)) throw new Error(`the patch does not fit: there is no "${line}"`);
  writeFileSync(path, lines.flatMap((each) => (each === line ? by : [each])).join("\n"));
}

async function commitAndHandIn({ work, handed }: Scene, role: Role, message: string): Promise<void> {
  const tree = work.treeOf(role);
  gitAs(tree, "add", "-A");
  gitAs(tree, "commit", "-q", "-m", message);
  handed.push(gitAs(tree, "rev-parse", "HEAD"));
  await handIn(work, role, new Date());
}

async function land({ work, stop }: Scene): Promise<LandingNews[]> {
  const news: LandingNews[] = [];
  await landReady(work, { stop, tell: (each) => news.push(each) });
  return news;
}

function count(tally: Tally, news: LandingNews[], landed: "landedAtOnce" | "landedAfterMending"): void {
  for (const each of news) {
    if ("landed" in each) tally[landed] += each.landed.length;
    else if ("red" in each) throw new Error(`the repository itself is red: ${each.red.said}`);
    else if (each.outcome.is === "conflict") tally.returnedForConflict += 1;
    else if (each.outcome.is === "red") tally.returnedRed += 1;
  }
}

/** As the mail about a returned task asks: merge the target, mend, commit, hand in. */
async function mend(scene: Scene, { id, role, planned }: Assignment): Promise<void> {
  const { work, tally } = scene;
  for (let tries = 1; tries < MOST_TRIES && work.board.find(id).state === "returned"; tries += 1) {
    await takeTask(work, role, id);
    const tree = work.treeOf(role);
    try {
      gitAs(tree, "merge", "-q", "--no-commit", "--no-ff", work.target);
    } catch {
      // There is a conflict, which is then in the files.
    }
    for (const name of readdirSync(tree).filter((each) => each.endsWith(".txt")))
      resolveFile(join(tree, name), scene.group);
    await commitAndHandIn(scene, role, `${planned.title}, mended`);
    count(tally, await land(scene), "landedAfterMending");
  }
}

/** Keeps what both sides have added, and uses the new name. */
function resolveFile(path: string, { renames }: Group): void {
  const text = readFileSync(path, "utf8");
  const lines = text.split("\n").filter((line) => !/^(<{7} |={7}$|>{7} )/.test(line));
  const mended = lines.map((line) =>
    renames !== undefined && line === `use ${renames.from}` ? `use ${renames.to}` : line,
  );
  if (mended.join("\n") !== text) writeFileSync(path, mended.join("\n"));
}

function verify({ place, work, group, tally, handed }: Scene, assignments: Assignment[]): void {
  const { home, root } = place;
  const inTarget = new Set(gitAs(home, "rev-list", work.target).split("\n"));
  tally.lost.push(...handed.filter((commit) => !inTarget.has(commit) && !isHeld(home, commit)));
  const all = Object.keys(group.files).map((name) => gitAs(home, "show", `${work.target}:${name}`));
  const lines = new Set(all.flatMap((text) => text.split("\n")));
  tally.lost.push(...assignments.flatMap(({ planned: { mark } }) => (lines.has(mark) ? [] : [mark])));
  const tree = join(root, "verify");
  gitAs(home, "worktree", "add", "-q", "--detach", tree, work.target);
  for (const commit of gitAs(home, "rev-list", "--first-parent", work.target).split("\n")) {
    gitAs(tree, "checkout", "-q", "--detach", commit);
    if (!isGreen(tree)) tally.landedRed.push(`${group.kind}: ${commit}`);
  }
}

function isHeld(home: string, commit: string): boolean {
  return gitAs(home, "for-each-ref", `--contains=${commit}`) !== "";
}

function isGreen(tree: string): boolean {
  try {
    execFileSync("/bin/sh", ["-c", CHECK], { cwd: tree, stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
