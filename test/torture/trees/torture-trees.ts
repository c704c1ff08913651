/**
 * Kills those who work in trees, land and tidy up, at named steps and at random moments: with git and the check, without
 * them, or a git alone; round after round in one repository, while a person works in their own checkout.
 *
 * After every kill: every commit that was handed in is held by a ref or is in the target, no first-parent commit of the
 * target is red, the records agree with git, every task is in one state, and what the person has not committed is as they
 * left it. Then a survivor lands what is left, and the person can commit, tidy up and verify their repository. A worker
 * that fails without having been killed is a breach as well. The power of the machine is not cut.
 */
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { landReady } from "../../../src/work/land.ts";
import { findProcesses, listAncestors } from "../../../src/system/process.ts";
import { recoverTree } from "../../../src/work/recover.ts";
import type { Work, WorkStep } from "../../../src/work/work.ts";
import { makeSandbox } from "../../support/sandbox.ts";
import { beginWork, gitAs, makeWorkplace, task, type Workplace } from "../../support/work.ts";
import { bundleWorker } from "../bundle-worker.ts";
import { seededRandom } from "../seeded-random.ts";
import type { WorkPlan } from "./work-worker.ts";

const STEPS: WorkStep[] = [
  "pinned",
  "handed",
  "locked",
  "claimed",
  "merged",
  "kept",
  "tree-noted",
  "tree-added",
  "checked-out",
  "checking",
  "checked",
  "before-swap",
  "swapped",
  "recorded",
  "settled",
  "saved",
  "tree-removed",
  "deleting",
  "branches-gone",
  "home-merged",
];
const ROLES = ["inferno", "glacier", "shadow", "storm"] as const;
const GREEN = 'test -z "$(ls | grep ^bad)"';
/** About as long as a worker takes that nobody kills. */
const LONGEST_MS = 600;
const LOOK_AGAIN_MS = 3;

export interface TreesReport {
  seed: number;
  rounds: number;
  killed: Record<string, number>;
  handed: number;
  landed: number;
  returned: number;
  breaches: string[];
}

interface Round {
  place: Workplace;
  work: Work;
  report: TreesReport;
  random: (limit: number) => number;
  number: number;
  /** What was handed in, by task. */
  handed: Map<string, string>;
  /** First-parent commits of the target that have been looked at. */
  seen: Set<string>;
}

export async function tortureTrees(options: {
  rounds: number;
  seed: number;
  onRound?: (done: number) => void;
}): Promise<TreesReport> {
  const { rounds, seed, onRound } = options;
  await using sandbox = makeSandbox();
  const worker = await bundleWorker(sandbox, "test/torture/trees/work-worker.ts");
  const random = seededRandom(seed);
  const report: TreesReport = { seed, rounds, killed: {}, handed: 0, landed: 0, returned: 0, breaches: [] };
  for (let done = 0; done < rounds;) {
    // A repository in which thousands of tasks have landed would mostly measure git.
    await using place = makeWorkplace(firstFiles(), { check: GREEN });
    const work = await beginWork(place, [...ROLES, "strategist"]);
    const state = { place, work, report, random, handed: new Map<string, string>(), seen: new Set<string>() };
    for (let number = 0; number < 50 && done < rounds; number += 1, done += 1) {
      await playRound({ ...state, number }, worker);
      if (report.breaches.length > 20) return report;
      onRound?.(done + 1);
    }
    for (const { state: word } of work.board.list()) {
      if (word === "landed") report.landed += 1;
      else if (word === "returned") report.returned += 1;
    }
    report.handed += state.handed.size;
  }
  return report;
}

function firstFiles(): Record<string, string> {
  return Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`file-${at}.txt`, `line ${at}\n`]));
}

async function playRound(round: Round, worker: string): Promise<void> {
  const { work, random, report, number, place } = round;
  actAsPerson(round);
  const draft = readDraft(place.home);
  const role = ROLES[random(ROLES.length)] ?? "inferno";
  await leaveBehind(work, role);
  const id = work.board.add(task(`Round ${number}`));
  const kind = random(10);
  const files: Record<string, string> =
    kind === 0
      ? { [`bad-${id}`]: "x" }
      : kind < 4
        ? { "file-0.txt": `${id}\n` }
        : { [`new-${id}.txt`]: `${id}\n` };
  const step = STEPS[random(STEPS.length)] ?? "locked";
  const isNamed = random(2) === 0;
  const victim = isNamed ? "worker" : ((["group", "worker", "git"] as const)[random(3)] ?? "group");
  const also = (["nothing", "home", "close"] as const)[random(3)] ?? "nothing";
  const die = isNamed ? { at: step, occurrence: random(4) === 0 ? 2 : 1 } : undefined;
  const said = await runWorker(round, worker, { folder: work.folder, role, id, files, also, die }, victim);
  for (const line of said.lines) {
    const news: { committed?: string; handed?: string; failed?: string } = JSON.parse(line);
    // A worker cannot go on without its git, and says so.
    if (news.failed && victim !== "git") report.breaches.push(`${number} ${step} ${also}: ${news.failed}`);
    if (news.committed) said.commit = news.committed;
    if (news.handed && said.commit) round.handed.set(news.handed, said.commit);
  }
  const what = isNamed ? step : `random ${victim}`;
  if (said.isKilled) report.killed[what] = (report.killed[what] ?? 0) + 1;
  verify(round, `${number} ${what} ${also}`, draft);
  try {
    await landReady(work, { stop: AbortSignal.timeout(60_000), tell: () => {} });
  } catch (error) {
    report.breaches.push(`${number} ${step}: a survivor could not land: ${String(error)}`);
  }
  const waiting = work.board.list().filter(({ state }) => state === "ready" || state === "landing");
  if (waiting.length > 0)
    report.breaches.push(`${number} ${step}: ${waiting.length} still wait after a survivor`);
  verify(round, `${number} ${what} ${also} after a survivor`, draft);
}

/** A returned task, or one of a killed worker, stays on its branch; the role goes on with another. */
async function leaveBehind(work: Work, role: (typeof ROLES)[number]): Promise<void> {
  await recoverTree(work, role);
  const tree = work.treeOf(role);
  if (!existsSync(join(tree, ".git"))) return;
  gitAs(tree, "add", "-A");
  if (gitAs(tree, "status", "--porcelain") !== "") gitAs(tree, "commit", "-q", "-m", "left");
}

/** One that git does not know, and one that it does. */
const DRAFTS = ["draft.txt", "file-59.txt"];

function readDraft(home: string): string {
  return DRAFTS.map((name) => readFileSync(join(home, name), "utf8")).join("");
}

function actAsPerson({ place, random }: Round): void {
  const { home } = place;
  for (const name of DRAFTS) writeFileSync(join(home, name), `draft ${random(1_000_000)}\n`);
  switch (random(6)) {
    case 0:
      writeFileSync(join(home, "theirs.txt"), `${random(1_000)}\n`);
      gitAs(home, "add", "theirs.txt");
      gitAs(home, "commit", "-q", "--allow-empty", "-m", "theirs", "--", "theirs.txt");
      break;
    case 1:
      gitAs(home, "gc", "-q", "--prune=now");
      break;
    case 2: {
      const branches = gitAs(
        home,
        "for-each-ref",
        "--format=%(worktreepath)|%(refname:short)",
        "refs/heads/ovld-overlord",
      );
      const [free] = branches.split("\n").filter((line) => line.startsWith("|"));
      if (free) gitAs(home, "branch", "-D", free.slice(1));
      break;
    }
    case 3:
      gitAs(home, "pack-refs", "--all");
      break;
    default:
  }
}

/** The whole process group, the worker without its git and check, or a git without the worker. */
type Victim = "group" | "worker" | "git";

function victimsOf(worker: number, victim: Victim): number[] {
  if (victim === "group") return [-worker];
  if (victim === "worker") return [worker];
  return findProcesses(([program = ""], pid) => program === "git" && listAncestors(pid)[0]?.pid === worker);
}

interface Said {
  lines: string[];
  commit?: string;
  isKilled: boolean;
}

function runWorker({ place, random }: Round, worker: string, plan: WorkPlan, victim: Victim): Promise<Said> {
  const identity = {
    GIT_AUTHOR_NAME: "A",
    GIT_AUTHOR_EMAIL: "a@b.c",
    GIT_COMMITTER_NAME: "A",
    GIT_COMMITTER_EMAIL: "a@b.c",
  };
  const child = spawn(process.execPath, [worker, JSON.stringify(plan)], {
    env: { ...place.env, ...identity },
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const said: Said = { lines: [], isKilled: false };
  let [text, problem] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (more: string) => (text += more));
  child.stderr.setEncoding("utf8").on("data", (more: string) => (problem += more));
  const kill = (): void => {
    const pids = victimsOf(child.pid ?? 0, victim);
    if (pids.length === 0) timer = setTimeout(kill, LOOK_AGAIN_MS);
    for (const pid of pids) {
      try {
        process.kill(pid, "SIGKILL");
        said.isKilled = true;
      } catch {
        // It has ended.
      }
    }
  };
  let timer = plan.die ? undefined : setTimeout(kill, 40 + random(LONGEST_MS));
  return new Promise((resolve) => {
    child.once("close", (code, signal) => {
      clearTimeout(timer);
      said.isKilled ||= signal === "SIGKILL";
      said.lines = text.split("\n").filter(Boolean);
      if (signal === null && code !== 0) said.lines.push(JSON.stringify({ failed: problem.slice(-2_000) }));
      resolve(said);
    });
  });
}

function verify(round: Round, when: string, draft: string): void {
  const { place, work, report, handed, seen } = round;
  const breach = (what: string): void => void report.breaches.push(`round ${when}: ${what}`);
  const { home } = place;
  const held = new Set(gitAs(home, "rev-list", work.target, "--branches", `--glob=${work.refs}`).split("\n"));
  const inTarget = new Set(gitAs(home, "rev-list", work.target).split("\n"));
  for (const [id, each] of handed)
    if (!held.has(each)) breach(`${id}: its commit ${each} is held by nothing`);
  for (const each of gitAs(home, "rev-list", "--first-parent", work.target).split("\n")) {
    if (seen.has(each)) continue;
    seen.add(each);
    if (/^bad/m.test(gitAs(home, "ls-tree", "--name-only", each))) breach(`${each} on the target is red`);
  }
  const places = work.board.list();
  const ids = places.map(({ id }) => id);
  if (new Set(ids).size !== ids.length) breach("a task is in two states");
  for (const { id, state } of places) {
    work.board.read(id);
    const commitOf = work.board.lastTry(id)?.commit ?? "";
    if (state === "landed" && !inTarget.has(commitOf))
      breach(`${id} is recorded as landed, but git does not have it`);
  }
  for (const id of handed.keys()) if (!ids.includes(id)) breach(`${id} has no state any more`);
  if (readDraft(home) !== draft) breach("the person's draft has changed");
  if (!when.endsWith("survivor")) return;
  for (const command of [
    ["worktree", "list"],
    ["status", "--porcelain"],
    ["commit", "-q", "--allow-empty", "-m", "theirs"],
    ["gc", "-q"],
    ["fsck", "--no-progress"],
  ])
    try {
      gitAs(home, ...command);
    } catch (error) {
      breach(`git ${command.join(" ")} fails for the person: ${String(error)}`);
    }
}
