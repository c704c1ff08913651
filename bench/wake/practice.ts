/** Bells for practice agents in random states: "yes" is preselected in their question, so that a stray Enter shows. */
import type { Role } from "../../src/army/roles.ts";
import type { Wake } from "../../src/config/relay-settings.ts";
import { seatPractice, type PracticeSeats } from "../../test/support/practice-seats.ts";
import type { PracticeLine } from "../../test/support/zellij.ts";
import { seededRandom } from "../../test/torture/seeded-random.ts";
import { tallyBells, type BellRow, type Tally } from "./bells.ts";
import { ringOnce, type StateName, type Subject } from "./states.ts";

const ROLES: Role[] = ["inferno", "glacier", "shadow", "storm"];
const STATES: StateName[] = ["idle", "busy", "permission dialog", "draft"];

/** An ending turn that is rung for mail continues with it. */
const BEGINNINGS = ["turn begun", "turn goes on"];

export interface PracticeRun {
  rows: BellRow[];
  /** Messages that were not read exactly once. */
  misread: number;
}

export async function ringPractice(
  bells: number,
  wake: Wake,
  { seed, only = "" }: { seed: number; only?: string },
): Promise<PracticeRun> {
  const tallies = new Map(
    STATES.map((state) => [state, tallyBells("practice", wayOf(wake, state), state)] as const).filter(
      ([, tally]) => tally.isCalled(only),
    ),
  );
  const states = [...tallies.keys()];
  if (states.length === 0) return { rows: [], misread: 0 };
  await using seats = await seatPractice(ROLES, wake);
  const random = seededRandom(seed);
  const plan = Array.from({ length: bells }, () => states[random(states.length)] ?? "idle");
  let rung = 0;
  await Promise.all(
    ROLES.map(async (role) => {
      const subject = subjectOf(seats, role);
      for (let state = plan.pop(); state !== undefined; state = plan.pop()) {
        await ringIn(subject, state, tallies);
        rung += 1;
        if (rung % 50 === 0) console.error(`rang: practice, wake = ${wake}, ${rung} of ${bells}`);
      }
    }),
  );
  return { rows: [...tallies.values()].map((tally) => tally.row()), misread: countMisread(seats, bells) };
}

async function ringIn(subject: Subject, state: StateName, tallies: Map<StateName, Tally>): Promise<void> {
  const tally = tallies.get(state);
  await tally?.watch(() => ringOnce(subject, state, tally));
}

function subjectOf(seats: PracticeSeats, role: Role): Subject {
  const timesOf = (fits: (line: PracticeLine) => boolean): number[] =>
    seats.record().flatMap((line) => (line.role === role && fits(line) ? Date.parse(line.at) : []));
  return {
    seats,
    role,
    letWork: () => seats.letWork(role),
    begunAt: () =>
      timesOf(({ event, prompt = "" }) => BEGINNINGS.includes(event) && prompt.includes("[MESSAGE from")),
    endedBefore: (begun) => timesOf(({ hook }) => hook === "Stop").findLast((at) => at <= begun),
  };
}

function wayOf(wake: Wake, state: StateName): string {
  return wake === "auto" && state === "busy" ? "turn's end" : "typing";
}

function countMisread(seats: PracticeSeats, bells: number): number {
  const times = new Map<string, number>();
  for (const { id } of seats.journal("read")) times.set(id, (times.get(id) ?? 0) + 1);
  const once = [...times.values()].filter((count) => count === 1).length;
  return bells - once + (times.size - once);
}
