/**
 * The plan of an army with trees: its tasks, what became of what was handed in, and what each would change. The board
 * costs the same to look at however many tasks have landed, and git is asked only about one task that somebody opens.
 */
import { basename, join } from "node:path";
import { shorten } from "../system/clean-text.ts";
import { readEnd } from "../system/read-file.ts";
import { openBoard, type Outcome, type TaskPlace, type TaskState } from "../work/board.ts";
import { logOfCheck } from "../work/check.ts";
import { gitFailure, runGit } from "../work/git.ts";
import { findTrees, readWork, targetOf, type Work } from "../work/work.ts";

/** Of what is not finished, what matters most to the person is shown first if there is too much. */
const URGENCY: TaskState[] = ["returned", "landing", "ready", "taken", "open"];
const MOST_OPEN = 40;
const MOST_LANDED = 5;
/** Tasks land about in the order of their numbers: the last ones to land are among so many. */
const LANDED_TO_LOOK_AT = 50;
/** The whole of it is shown with the task. */
const MOST_SAID = 300;
const MOST_CONFLICTS = 5;

export type PlanView = NonNullable<ReturnType<typeof describePlan>>;
export type PlannedTask = PlanView["tasks"][number];

/** Null for an army without trees. `folder` is that of the work in the army's store. */
export function describePlan(folder: string) {
  const record = readWork(folder);
  if (record === undefined) return null;
  const board = openBoard(folder);
  const places = board.list();
  const having = (...states: TaskState[]): TaskPlace[] =>
    places.filter(({ state }) => states.includes(state));
  const landed = having("landed");
  const isLanded = new Set(landed.map(({ id }) => id));
  const describe = (place: TaskPlace) => {
    const { title, to, after } = board.look(place.id);
    const { number, outcome } = board.lastTry(place.id) ?? {};
    return {
      ...place,
      title,
      /** When it came into this state; null if it has just left it. */
      since: board.since(place) ?? null,
      /** Only this role may take it. */
      to: to ?? null,
      /** The tasks that have to land before it. */
      after: after.filter((id) => !isLanded.has(id)),
      tries: number ?? 0,
      /** What came of the last try; null if that is not known yet. */
      outcome: outcome === undefined ? null : shortenOutcome(outcome),
    };
  };
  const open = having(...URGENCY);
  const urgent = open.toSorted((one, other) => URGENCY.indexOf(one.state) - URGENCY.indexOf(other.state));
  const shown = new Set(urgent.slice(0, MOST_OPEN));
  const latest = landed.slice(-LANDED_TO_LOOK_AT).map((place) => ({ place, at: board.since(place) ?? "" }));
  return {
    target: targetOf(record.army),
    trees: findTrees(folder),
    /** In the order of their numbers, so that none moves while somebody reads. */
    tasks: open.filter((place) => shown.has(place)).map(describe),
    /** How many more are not finished. */
    more: open.length - shown.size,
    landed: landed.length,
    dropped: having("dropped").length,
    /** The last few that landed, the latest first. */
    lastLanded: latest
      .toSorted((one, other) => (one.at < other.at ? 1 : -1))
      .slice(0, MOST_LANDED)
      .map(({ place }) => describe(place)),
  };
}

function shortenOutcome(outcome: Outcome): Outcome {
  if (outcome.is === "landed") return outcome;
  const said = shorten(outcome.said, MOST_SAID);
  if (outcome.is !== "conflict") return { ...outcome, said };
  return { ...outcome, said, files: outcome.files.slice(0, MOST_CONFLICTS) };
}

/** What is worth knowing about a task that somebody opens. */
export function describeTask({ board, branchOf, check: common }: Work, id: string) {
  const { goal, by, check = common } = board.read(id);
  return { id, goal, by, check: check ?? null, branch: branchOf(id), tries: board.tries(id) };
}

const MOST_LOG_BYTES = 16 * 1024;

/** The end of what the checks of a task have written: of the running one, or of the last one. */
export function readCheck(work: Work, id: string): { lines: string[] } {
  const outcome = work.board.lastTry(id)?.outcome;
  // An army in the archive has its logs elsewhere than they were.
  if (outcome?.is === "red") return linesOf(join(work.checks, basename(outcome.log)));
  if (outcome?.is === "landed") return linesOf(logOfCheck(work, outcome.commit));
  return linesOf(work.board.find(id).state === "landing" ? logOfCheck(work) : "");
}

function linesOf(log: string): { lines: string[] } {
  const text = readEnd(log, MOST_LOG_BYTES).trimEnd();
  return { lines: text === "" ? [] : text.split(/\r?\n/) };
}

export interface ChangedFile {
  path: string;
  /** Its former name, if it was renamed. */
  from?: string;
  /** Lines; null if it is not text. */
  added: number | null;
  removed: number | null;
  /** The changed parts as git prints them, without the names. */
  patch: string;
  /** There is more of it than is shown. */
  isCut: boolean;
}

export interface TaskDiff {
  files: ChangedFile[];
  /** How many more files have changed. */
  more: number;
}

const MOST_FILES = 200;
const MOST_PATCH = 48 * 1024;
const MOST_DIFF = 4 * 1024 * 1024;
/** No program of the person's, and no colours: what git itself says. */
const PLAIN = ["--no-color", "--no-ext-diff", "--no-textconv", "--find-renames"];

/** What a task would change in the target, or has changed there, file by file. */
export async function readDiff(work: Work, id: string): Promise<TaskDiff> {
  const range = await rangeOf(work, id);
  if (range === undefined) return { files: [], more: 0 };
  const args = ["diff", ...PLAIN, "--numstat", "--patch", "-z", range, "--"];
  const run = await runGit(work.repository, args, { mostOutput: MOST_DIFF });
  const isCut = run.stdout.length > MOST_DIFF;
  if (run.code !== 0 && !isCut) throw gitFailure(args, run);
  return parseDiff(run.stdout, isCut);
}

/** Between where a task left the target and its newest commit; undefined if it has none. */
async function rangeOf(work: Work, id: string): Promise<string | undefined> {
  const { commit: handed, outcome } = work.board.lastTry(id) ?? {};
  if (outcome?.is === "landed") return `${outcome.commit}^1...${handed}`;
  // Its owner goes on where the last try ended.
  const isInHand = handed === undefined || work.board.find(id).state === "returned";
  const args = ["rev-parse", "--verify", "--quiet", `refs/heads/${work.branchOf(id)}`];
  const branch = isInHand ? (await runGit(work.repository, args)).stdout.trim() : "";
  const commit = branch || handed;
  return commit === undefined ? undefined : `${work.targetRef}...${commit}`;
}

/** Names come from the list of numbers, in which they are as they are; the patches follow in the same order. */
export function parseDiff(output: string, isCut: boolean): TaskDiff {
  const end = output.indexOf("\0\0");
  const fields = (end === -1 ? output : output.slice(0, end)).split("\0");
  const sections = joinHalves(end === -1 ? [] : output.slice(end + 2).split(/^(?=diff --git )/m));
  const files: ChangedFile[] = [];
  while (fields.length > 0) {
    const [, added, removed, name] = /^(\d+|-)\t(\d+|-)\t([^]*)$/.exec(fields.shift() ?? "") ?? [];
    if (added === undefined || removed === undefined) continue;
    const from = name === "" ? fields.shift() : undefined;
    const path = name || (fields.shift() ?? "");
    const section = sections[files.length];
    const patch = (section ?? "").replace(/\n$/, "");
    files.push({
      path,
      ...(from !== undefined && { from }),
      added: added === "-" ? null : Number(added),
      removed: removed === "-" ? null : Number(removed),
      patch: patch.slice(0, MOST_PATCH),
      isCut: patch.length > MOST_PATCH || (isCut && files.length >= sections.length - 1),
    });
  }
  return { files: files.slice(0, MOST_FILES), more: Math.max(0, files.length - MOST_FILES) };
}

/** A file that became a link is two patches with the same first line. Returns them without the names. */
function joinHalves(sections: string[]): string[] {
  const joined: string[] = [];
  for (const [at, section] of sections.entries()) {
    const isHalf = at > 0 && titleOf(section) === titleOf(sections[at - 1]);
    joined.push(`${isHalf ? joined.pop() : ""}${withoutNames(section)}`);
  }
  return joined;
}

function titleOf(section = ""): string {
  return section.split("\n", 1)[0] ?? "";
}

function withoutNames(section: string): string {
  const start = section.search(/^@@ /m);
  const head = start === -1 ? section : section.slice(0, start);
  const told = head.split(/(?<=\n)/).filter((line) => !/^(?:diff --git|index|---|\+\+\+) /.test(line));
  return `${told.join("")}${start === -1 ? "" : section.slice(start)}`;
}
