/** Works on a task, hands it in and lands, reports what has happened, and kills itself in the middle if told to. */
import { execFileSync } from "node:child_process";
import { writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Role } from "../../../src/army/roles.ts";
import { landReady } from "../../../src/work/land.ts";
import { bringHome } from "../../../src/work/home.ts";
import { recoverTree, removeLandedRefs, withLandingLock } from "../../../src/work/recover.ts";
import { handIn, takeTask } from "../../../src/work/tasks.ts";
import { closeTree, provideTree } from "../../../src/work/trees.ts";
import { openWork } from "../../../src/work/work.ts";

export interface WorkPlan {
  folder: string;
  role: Role;
  id: string;
  files: Record<string, string>;
  /** What is done besides: the person's branch is brought up to date, or landed branches and the tree are removed. */
  also: "nothing" | "home" | "close";
  die?: { at: string; occurrence: number } | undefined;
}

const plan: WorkPlan = JSON.parse(process.argv[2] ?? "");
let occurrences = 0;
const work = openWork(plan.folder, process.env, (step) => {
  if (step !== plan.die?.at) return;
  occurrences += 1;
  if (occurrences === plan.die.occurrence) process.kill(process.pid, "SIGKILL");
});
if (work === undefined) throw new Error("there is no work");
const stop = new AbortController().signal;

/** In one unbuffered write, so that exactly what has happened is reported. */
function report(line: object): void {
  writeSync(1, `${JSON.stringify(line)}\n`);
}

await recoverTree(work, plan.role);
await provideTree(work, plan.role, work.targetRef);
await takeTask(work, plan.role, plan.id);
const tree = work.treeOf(plan.role);
for (const [name, text] of Object.entries(plan.files)) writeFileSync(join(tree, name), text);
const git = (...args: string[]): string =>
  execFileSync("git", args, { cwd: tree, encoding: "utf8", stdio: "pipe" }).trim();
git("add", "-A");
git("commit", "-q", "--allow-empty", "-m", plan.id);
report({ committed: git("rev-parse", "HEAD") });
await handIn(work, plan.role, new Date());
report({ handed: plan.id });
await landReady(work, { stop, tell: () => {} });
if (plan.also === "home") await bringHome(work, { stop });
if (plan.also === "close")
  await withLandingLock(work, stop, async () => {
    await closeTree(work, plan.role);
    await removeLandedRefs(work);
  });
report({ done: true });
