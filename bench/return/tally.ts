/** What the rounds of a power cut add up to. */
import { median } from "../statistics.ts";
import type { Opening } from "./look-back.ts";
import { formatTable } from "../table.ts";
import type { ReturnFloor } from "./measure-floor.ts";

/** One power cut, and what came of it; each list names what went wrong. */
export interface ReturnRound {
  lost: string[];
  /** Read twice without a mark. */
  doubled: string[];
  /** Roles that were given their ritual again in the same conversation. */
  ritualTwice: string[];
  /** Roles that are in another conversation than before. */
  elsewhere: string[];
  /** How many roles were in the middle of something, and were told so exactly once. */
  cutOff: number;
  told: number;
  /** Roles that were not told, told more than once, or told although they were idle. */
  toldWrongly: string[];
  opening: Opening;
}

export interface ReturnTally {
  rounds: number;
  lost: string[];
  doubled: string[];
  ritualTwice: string[];
  elsewhere: string[];
  toldWrongly: string[];
  cutOff: number;
  told: number;
  /** Medians of a first summon and of `summon --resume`. */
  first: Opening;
  resumed: Opening;
  /** How much of that time is not ovld's. */
  floor?: ReturnFloor;
}

export function addUp(rounds: readonly ReturnRound[], first: readonly Opening[]): ReturnTally {
  const all = (name: "lost" | "doubled" | "ritualTwice" | "elsewhere" | "toldWrongly"): string[] =>
    rounds.flatMap((round, index) => round[name].map((what) => `round ${index + 1}: ${what}`));
  const sum = (name: "cutOff" | "told"): number => rounds.reduce((total, round) => total + round[name], 0);
  return {
    rounds: rounds.length,
    lost: all("lost"),
    doubled: all("doubled"),
    ritualTwice: all("ritualTwice"),
    elsewhere: all("elsewhere"),
    toldWrongly: all("toldWrongly"),
    cutOff: sum("cutOff"),
    told: sum("told"),
    first: medianOf(first),
    resumed: medianOf(rounds.map(({ opening }) => opening)),
  };
}

function medianOf(openings: readonly Opening[]): Opening {
  return {
    startedMs: median(openings.map(({ startedMs }) => startedMs)),
    readyMs: median(openings.map(({ readyMs }) => readyMs)),
  };
}

export function isFlawless(tally: ReturnTally): boolean {
  const { lost, doubled, ritualTwice, elsewhere, toldWrongly } = tally;
  return [lost, doubled, ritualTwice, elsewhere, toldWrongly].every((list) => list.length === 0);
}

export function printTally(tally: ReturnTally): string {
  const rows = [
    ["power cuts", String(tally.rounds)],
    ["messages lost", String(tally.lost.length)],
    ["messages doubled unmarked", String(tally.doubled.length)],
    ["rituals given twice", String(tally.ritualTwice.length)],
    ["roles in another conversation", String(tally.elsewhere.length)],
    ["roles cut off, and told once", `${tally.cutOff}, ${tally.told}`],
    ["roles told wrongly", String(tally.toldWrongly.length)],
    ["first summon: mail can wake all six, p50", seconds(tally.first.readyMs)],
    ["summon --resume: mail can wake all six, p50", seconds(tally.resumed.readyMs)],
    ["first summon: six agents with a relay, p50", seconds(tally.first.startedMs)],
    ["summon --resume: six agents with a relay, p50", seconds(tally.resumed.startedMs)],
    ...(tally.floor === undefined ? [] : printFloor(tally.floor)),
  ];
  const { lost, doubled, ritualTwice, elsewhere, toldWrongly } = tally;
  const faults = Object.entries({ lost, doubled, ritualTwice, elsewhere, toldWrongly }).flatMap(
    ([name, list]) => list.map((each) => `${name}: ${each}\n`),
  );
  return `${formatTable([["", ""], ...rows])}${faults.join("")}`;
}

function printFloor({ beginMs, resumeMs }: ReturnFloor): string[][] {
  return [
    ["six bare Claude Codes that begin, p50", seconds(beginMs)],
    ["six bare Claude Codes that resume, p50", seconds(resumeMs)],
  ];
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
