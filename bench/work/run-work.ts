/** The whole measurement, as rows of a table. */
import { seededRandom } from "../../test/torture/seeded-random.ts";
import { makeRow, type Row } from "../row.ts";
import { median } from "../statistics.ts";
import { measureClaims } from "./claims.ts";
import { measureTaskGrowth } from "./growth.ts";
import { timeLanding, type LandingTimes } from "./landing.ts";
import { emptyTally, playGroup, type Tally } from "./oracle.ts";
import { KINDS, planGroup, shuffle, type Group } from "./plan.ts";

export interface WorkSize {
  /** Groups of four tasks, of each kind. */
  groups: number;
  /** Numbers of branches that are ready at the same time. */
  branches: number[];
  /** In the repository in which landing is timed. */
  files: number;
  /** How often each landing is timed. */
  rounds: number;
  claims: number;
  tasks: number;
  samples: number;
}

export const WHOLE: WorkSize = {
  groups: 10,
  branches: [1, 4, 16, 64],
  files: 1_000,
  rounds: 3,
  claims: 600,
  tasks: 1_000,
  samples: 15,
};

export interface WorkRun {
  rows: Row[];
  /** What must never happen, in words; empty if nothing of it has. */
  faults: string[];
}

interface WorkOptions {
  seed: number;
  size: WorkSize;
  stop: AbortSignal;
  tell: (progress: string) => void;
}

type Part = (options: WorkOptions) => Promise<WorkRun>;

const NONE = { atMost: 0 };
const QUICK_CHECK = "true";
const SLOW_CHECK = "sleep 0.3";

export async function runWork(options: WorkOptions): Promise<WorkRun> {
  const parts: Part[] = [playOracle, timeLandings, countClaims, growBoard];
  const runs: WorkRun[] = [];
  for (const part of parts) runs.push(await part(options));
  return { rows: runs.flatMap(({ rows }) => rows), faults: runs.flatMap(({ faults }) => faults) };
}

async function playOracle({ seed, size, stop, tell }: WorkOptions): Promise<WorkRun> {
  const random = seededRandom(seed);
  const kinds = Array.from({ length: size.groups }, () => KINDS).flat();
  const groups = shuffle(kinds, random).map((kind, at) => planGroup(kind, at, random));
  const tally = emptyTally();
  for (const [at, group] of groups.entries()) {
    stop.throwIfAborted();
    tell(`group ${at + 1} of ${groups.length}: ${group.kind}`);
    await playGroup(group, tally, stop);
  }
  return {
    rows: tabulate(groups, tally),
    faults: [
      ...tally.landedRed.map((what) => `landed red: ${what}`),
      ...tally.lost.map((what) => `lost: ${what}`),
    ],
  };
}

/** The floor is what the patches make unavoidable, whoever merges them. */
function tabulate(groups: Group[], tally: Tally): Row[] {
  const [conflicts, reds] = [sum(groups.map((each) => each.conflicts)), sum(groups.map((each) => each.reds))];
  const unit = "tasks";
  return [
    makeRow({
      name: `tasks landed at once, of ${tally.tasks}`,
      unit,
      ours: tally.landedAtOnce,
      floor: tally.tasks - conflicts - reds,
      bar: { shareOfFloor: 1 },
    }),
    makeRow({
      name: "returned for a conflict",
      unit,
      ours: tally.returnedForConflict,
      floor: conflicts,
      bar: { timesFloor: 1 },
    }),
    makeRow({
      name: "returned red",
      unit,
      ours: tally.returnedRed,
      floor: reds,
      bar: { timesFloor: 1 },
    }),
    makeRow({
      name: "landed after their owner had mended them",
      unit,
      ours: tally.landedAfterMending,
      floor: conflicts + reds,
      bar: { shareOfFloor: 1 },
    }),
    makeRow({ name: "landed red", unit, ours: tally.landedRed.length, bar: NONE }),
    makeRow({ name: "lost", unit, ours: tally.lost.length, bar: NONE }),
  ];
}

async function timeLandings({ size, stop, tell }: WorkOptions): Promise<WorkRun> {
  const { files } = size;
  const runs: WorkRun = { rows: [], faults: [] };
  const slow: Row[] = [];
  const gits: Row[] = [];
  for (const branches of size.branches) {
    const times = { quick: new Array<LandingTimes>(), slow: new Array<LandingTimes>() };
    for (let round = 0; round < size.rounds; round += 1) {
      tell(`landing ${branches} ready, round ${round + 1} of ${size.rounds}`);
      times.quick.push(await timeLanding(branches, { files, check: QUICK_CHECK, counts: false, stop }));
      times.slow.push(await timeLanding(branches, { files, check: SLOW_CHECK, counts: true, stop }));
    }
    runs.rows.push(
      makeRow({
        name: `landing, ${branches} ready: own time for each; floor: git merge`,
        unit: "ms",
        ours: 1000 * medianOf(times.quick, "ownPerBranch"),
        floor: 1000 * medianOf(times.quick, "mergePerBranch"),
        bar: { atMost: 80 },
      }),
    );
    slow.push(
      makeRow({
        name: `landing, ${branches} ready: all of it, with a check of 0.3 s; floor: the check once`,
        unit: "ms",
        ours: 1000 * medianOf(times.slow, "seconds"),
        floor: 1000 * medianOf(times.slow, "checkOnce"),
      }),
    );
    gits.push(
      makeRow({
        name: `git processes until ${branches} have landed; floor: git merge`,
        unit: "",
        ours: medianOf(times.slow, "gits"),
        floor: branches,
      }),
    );
    const missing = sum([...times.quick, ...times.slow].map((each) => each.missing));
    if (missing > 0) runs.faults.push(`of ${branches} that were ready, ${missing} have not landed`);
  }
  return { ...runs, rows: [...runs.rows, ...gits, ...slow] };
}

async function countClaims({ size, stop, tell }: WorkOptions): Promise<WorkRun> {
  tell(`six processes claim ${size.claims} tasks`);
  const { perSecond, bareRenamesPerSecond, doubled, lost } = await measureClaims(size.claims, stop);
  return {
    rows: [
      makeRow({
        name: "claims by six processes on one board; floor: bare renames",
        unit: "claims/s",
        ours: perSecond,
        floor: bareRenamesPerSecond,
      }),
      makeRow({ name: "claims, doubled", unit: "claims", ours: doubled.length, bar: NONE }),
      makeRow({ name: "claims, lost", unit: "claims", ours: lost.length, bar: NONE }),
    ],
    faults: [...doubled.map((id) => `claimed twice: ${id}`), ...lost.map((id) => `claim lost: ${id}`)],
  };
}

async function growBoard({ size, stop, tell }: WorkOptions): Promise<WorkRun> {
  tell(`commands on a board of ${size.tasks} tasks`);
  const growth = await measureTaskGrowth(size.tasks, size.samples, stop);
  const rows = (["add", "list"] as const).map((command) =>
    makeRow({
      name: `ovld task ${command}, ${size.tasks} tasks; floor: 10 tasks`,
      unit: "ms",
      ours: median(growth[command].ours),
      floor: median(growth[command].floor),
      bar: { timesFloor: 1.2 },
    }),
  );
  return { rows, faults: [] };
}

function medianOf(times: LandingTimes[], figure: keyof LandingTimes): number {
  return median(times.map((each) => each[figure]));
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
