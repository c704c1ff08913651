/**
 * `npm run bench:wake -- [--json] [--quick] [--record] [--only "claude, typing"]`: whether mail wakes its reader, how
 * soon, and whether it does harm. A run fails if a row misses its bar.
 *
 * Uses a real Claude Code and the practice agent in a real Zellij, in every state that we can produce.
 */
import { constants } from "node:os";
import { onceAskedToEnd } from "../../src/system/process.ts";
import { leaveAllSeats } from "../../test/support/seats.ts";
import { makeZellijAvailable } from "./zellij.ts";
import { parseOptions } from "../options.ts";
import { recordRun } from "../record-run.ts";
import { makeRow, type Row } from "../row.ts";
import { median } from "../statistics.ts";
import { formatTable } from "../table.ts";
import type { BellRow } from "./bells.ts";
import { ringPractice } from "./practice.ts";
import { measureFloors, ringClaude, type Floors } from "./claude.ts";

const EXIT_BROKEN = 1;
const EXIT_USAGE = 2;
const CLAUDE_BELLS = 20;
const PRACTICE_BELLS = 1_000;
const FLOOR_SAMPLES = 20;
const COUNTS = ["bells", "begun", "failed", "harm", "empty"] as const;
const HEAD = ["agent", "way", "state", ...COUNTS, "p50", "p95", "p99", "of floor", "bar", "verdict"];

process.exitCode = await main(process.argv.slice(2));

async function main(args: string[]): Promise<number> {
  const options = parseOptions(args);
  if ("problem" in options) {
    console.error(`bench:wake: ${options.problem}`);
    return EXIT_USAGE;
  }
  makeZellijAvailable();
  onceAskedToEnd((signal) => {
    void leaveAllSeats().finally(() => process.exit(128 + constants.signals[signal]));
  });
  const { only } = options;
  const some = (full: number): number => (options.quick ? Math.ceil(full / 10) : full);
  const floors = await measureFloors(some(FLOOR_SAMPLES));
  const seed = Date.now() % 1_000_000;
  const practice = await ringPractice(some(PRACTICE_BELLS), "auto", { seed, only });
  const rows = [
    ...(await ringClaude(some(CLAUDE_BELLS), "auto", only)),
    ...(await ringClaude(some(CLAUDE_BELLS), "pane", only)),
    ...practice.rows,
  ].map((row) => ({ ...row, ...judge(row, floors) }));
  const { misread } = practice;
  const document = { seed, floors, rows, misread };
  process.stdout.write(options.json ? `${JSON.stringify(document)}\n` : print(rows, floors));
  if (options.record) recordRun("wake", document);
  if (misread > 0) console.error(`${misread} messages were not read exactly once`);
  const isMissed = rows.some(({ verdict }) => verdict === "missed");
  return misread > 0 || isMissed || rows.some(({ harm, failed }) => harm + failed > 0) ? EXIT_BROKEN : 0;
}

type Judgement = Pick<Row, "ratio" | "bar" | "verdict">;

/** The bar of the p50 is a multiple of what a bare ring takes in the same run, so it holds on any machine. */
function judge({ way, state, p50 }: BellRow, floors: Floors): Judgement {
  const isTyped = way === "typing";
  const times = isTyped ? floors.typing : floors.socket;
  if (p50 === null || times.length === 0) return { ratio: null, bar: null, verdict: null };
  const limit = { timesFloor: isTyped ? 5 : 6 };
  const row = makeRow({ name: state, unit: "ms", bar: limit, ours: p50, floor: median(times) });
  return { ratio: row.ratio, bar: row.bar, verdict: row.verdict };
}

function print(rows: (BellRow & Judgement)[], floors: Floors): string {
  const cells = rows.map((row) => [
    row.agent,
    row.way,
    row.state,
    ...COUNTS.map((count) => String(row[count])),
    ...[row.p50, row.p95, row.p99].map(ms),
    row.ratio === null ? "-" : `${row.ratio.toFixed(1)} x`,
    row.bar ?? "-",
    row.verdict ?? "-",
  ]);
  return [
    formatTable([HEAD, ...cells]),
    "\nFloors, until the model is asked:\n",
    floor("a bare line on the socket", floors.socket),
    floor("a bare write of Zellij and an Enter", floors.typing),
  ].join("");
}

function ms(value: number | null): string {
  return value === null ? "-" : `${value.toFixed(0)} ms`;
}

function floor(name: string, times: number[]): string {
  return `${name}: p50 ${ms(times.length === 0 ? null : median(times))}\n`;
}
