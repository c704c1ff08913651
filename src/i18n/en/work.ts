/** What is said about tasks, trees and landing. */
import type { HomeProblem, TreesProblem } from "../../army/errors.ts";
import { countOf } from "../sentences.ts";

export const WORK_TEXTS = {
  columns: { id: "task", state: "state", role: "role", title: "title" },
  states: {
    open: "open",
    taken: "taken",
    ready: "ready",
    landing: "being checked",
    returned: "returned",
    landed: "landed",
    dropped: "dropped",
  },
  after: (ids: string) => `after ${ids}`,
  count: (shown: number, landed: number) => `${countOf(shown, "task")} shown, ${landed} landed.`,
  ended: (landed: number, dropped: number) => `${landed} landed, ${dropped} dropped.`,
  trees: (folder: string, roles: string) => `Trees in ${folder}: ${roles}`,
  shown: ({ id, title, state, owner, goal, check, branch, tries }: ShownTask) => [
    `${id} ${title}`,
    `${state}${owner === undefined ? "" : `, ${owner}`}; branch ${branch}`,
    ...(goal === "" ? [] : [goal]),
    ...(check === undefined ? [] : [`Check: ${check}`]),
    ...tries.map(
      ({ number, commit, outcome }) => `Try ${number}: ${commit.slice(0, 10)} ${formatOutcome(outcome)}`,
    ),
  ],
  taken: ({ id, title, goal, check, branch, tree }: TakenTask) =>
    [
      `${id} is yours: ${title}`,
      ...(goal === "" ? [] : [goal]),
      `Work in ${tree}, on the branch ${branch}. Commit there, then run: ovld task done`,
      check === undefined ? "There is no check for it." : `It lands if this passes: ${check}`,
    ].join("\n"),
  outcome: formatOutcome,
  handedIn: (id: string) =>
    `${id} is handed in. It lands by itself, and comes back to you by mail if it cannot. Go on with the next task.`,
  keptHere: (id: string) =>
    `${id} is handed in and kept on this machine: the strategist's does not answer. It goes there by itself when that does.`,
  behind: (target: string) =>
    `${target} has gone on by more than can travel. Once it is pushed from the strategist's machine, run git fetch here; then it follows by itself.`,
  returned: (id: string) => `${id} goes back to its owner.`,
  dropped: (id: string, branch: string) => `${id} is dropped. What was committed stays on ${branch}.`,
  home: (result: Home, target: string, dry: boolean) => {
    if (result.is === "nothing") return `Nothing has landed on ${target} that your branch does not have.`;
    if (result.is === "refused") return HOME_PROBLEMS[result.problem](result.said, target);
    const saved =
      result.saved === undefined ? "" : ` What you had not committed is also kept in ${result.saved}.`;
    const commits = countOf(result.commits, "commit");
    return dry
      ? `${commits} of ${target} can be brought into ${result.branch} with: ovld land`
      : `${result.branch} now has ${commits} more, from ${target}.${result.unchecked ? " Your own commits were merged with them without a check." : ""}${saved}`;
  },
  notes: {
    shallow: "This clone is shallow: agents see only its short history.",
    submodules:
      "This repository has submodules: they are empty folders in a tree, unless [trees] setup fills them.",
    lfs: "This repository uses Git LFS: each tree fetches its files again.",
    sparse: "This checkout is sparse: the trees have the same parts of it.",
  },
  hint: "In a Git repository, ovld summon --trees gives each agent a checkout of its own, and lands only work that passes its check.",
  away: (roles: string) =>
    `These are on other machines, and have trees if you summon there with --trees after this: ${roles}`,
  boardAway: {
    silent:
      "The agents on this machine work without trees and tasks: the machine of both the overlord and the strategist does not answer, or has none. Summon there first, with --trees.",
    "no-base":
      "The agents on this machine work without trees: this clone lacks the commit with which they would begin, and what is missing is too much for the hub. Bring both clones to the same commit with git push and git fetch, then summon again.",
  },
  making: (tree: string) => `Making the tree of ${tree} …`,
  settingUp: (tree: string, command: string) => `Setting up the tree of ${tree}: ${command}`,
  setupFailed: (tree: string, log: string) =>
    `The setup of the tree of ${tree} failed. Its output is in ${log}.`,
  saved: (tree: string, ref: string) =>
    `What an earlier army had not committed in the tree of ${tree} is kept in ${ref}.`,
  kept: (path: string) => `Kept, because there is work in it that has not landed: ${path}`,
  redTarget: (target: string, { command, said, log }: { command: string; said: string; log: string }) => ({
    subject: `The check is red on ${target} itself, so nothing lands`,
    body: `No task is to blame: ${command} fails there without them. They stay ready until a task lands that fixes it. If the cause lies outside of the repository, fix that, then run: ovld land --now\n\n${said}\n\nAll of it: ${log}`,
  }),
  notLanded: (tasks: string) =>
    `Handed in, but not landed: ${tasks}. Refs of ovld keep these commits; ovld summon --resume goes on with them.`,
  ahead: ({ target, commits, branch, command }: Ahead) =>
    `${target} has ${countOf(commits, "commit")} that ${branch} lacks. Bring them in with: ${command}`,
};

interface Ahead {
  target: string;
  commits: number;
  branch: string;
  command: string;
}

export interface ShownTask {
  id: string;
  title: string;
  state: string;
  owner: string | undefined;
  goal: string;
  check?: string | undefined;
  branch: string;
  tries: { number: number; commit: string; outcome?: ShownOutcome | undefined }[];
}

export type ShownOutcome =
  | { is: "landed"; checked: boolean }
  | { is: "conflict"; files: string[] }
  | { is: "red"; command: string; log: string }
  | { is: "words"; by: string; said: string };

export interface TakenTask {
  id: string;
  title: string;
  goal: string;
  check: string | undefined;
  branch: string;
  tree: string;
}

export type Home =
  | { is: "nothing" }
  | { is: "home"; commits: number; branch: string; saved: string | undefined; unchecked: boolean }
  | { is: "refused"; problem: HomeProblem; said: string };

function formatOutcome(outcome: ShownOutcome | undefined): string {
  switch (outcome?.is) {
    case undefined:
      return "handed in";
    case "landed":
      return outcome.checked ? "landed" : "landed without a check";
    case "conflict":
      return `returned: conflict in ${outcome.files.join(", ")}`;
    case "red":
      return `returned: ${outcome.command} failed, see ${outcome.log}`;
    case "words":
      return `returned by ${outcome.by}: ${outcome.said}`;
  }
}

const HOME_PROBLEMS: Record<HomeProblem, (said: string, target: string) => string> = {
  "no-branch": () =>
    "Your checkout is on no branch. Switch to the one that should get the work: git switch BRANCH",
  unfinished: (said) =>
    `Something is unfinished in your checkout (${said}). Finish or abort it first; git status says how.`,
  diverged: (said, target) =>
    `${said} has gone on since; ovld land first merges it into ${target} and checks that.`,
  conflict: (said, target) =>
    `Your branch and ${target} conflict in:\n${said}\nMerge by hand with: git merge ${target}`,
  red: (said) => `Your branch and the army's merge cleanly, but the check fails on the result:\n${said}`,
  "in-the-way": (said) =>
    `Git would have to touch what you have changed, so nothing was done:\n${said}\nCommit or move it, then run ovld land again.`,
};

export const TREES_PROBLEMS: Record<TreesProblem, (detail: string) => string> = {
  "no-git": () => "Trees need Git, and there is no git on the PATH.",
  "old-git": (detail) => `Trees need Git 2.38 or newer; this is ${detail}.`,
  "no-repository": () => "Trees need a Git repository, and this folder is in none. Make one with: git init",
  bare: () => "This repository is bare: it has no checkout to work in. Clone it, and summon the army there.",
  "no-commit": () =>
    "This repository has no commit yet, so there is nothing to begin a tree with. Make a first one with: git commit",
  "no-branch": () =>
    "This checkout is on no branch, or in the middle of a rebase. Switch to a branch first: git switch BRANCH",
  "name-taken": (detail) =>
    `A branch is called ${detail}, which leaves no room for the army's own branches. Rename it with: git branch -m ${detail} NEW`,
};
