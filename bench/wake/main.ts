/**
 * `npm run bench:wake -- [--json] [--quick] [--record]`: whether mail wakes its reader, how soon, and whether it does
 * harm.
 *
 * Uses a real Claude Code and the practice agent in a real Zellij, in every state that we can produce.
 */
import { constants } from "node:os";
import { onceAskedToEnd } from "../../src/system/signals.ts";
import { leaveAllSeats } from "../../test/support/seats.ts";
import { makeZellijAvailable } from "./zellij.ts";
import { parseOptions } from "../options.ts";
import { recordRun } from "../record-run.ts";
import { median } from "../statistics.ts";
import { printTable } from "../table.ts";
import type { BellRow } from "./bells.ts";
import { ringPractice } from "./practice.ts";
import { measureFloors, ringClaude, type Floors } from "./claude.ts";

const EXIT_HARM = 1;
const EXIT_USAGE = 2;
const CLAUDE_BELLS = 20;
const PRACTICE_BELLS = 1_000;
const FLOOR_SAMPLES = 20;
const HEAD = ["agent", "way", "state", "bells", "begun", "failed", "harm", "empty", "p50", "p95", "p99"];

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
  const some = (full: number): number => (options.quick ? Math.ceil(full / 10) : full);
  const floors = await measureFloors(some(FLOOR_SAMPLES));
  const seed = Date.now() % 1_000_000;
  const practice = await ringPractice(some(PRACTICE_BELLS), "auto", seed);
  const rows = [
    ...(await ringClaude(some(CLAUDE_BELLS), "auto")),
    ...(await ringClaude(some(CLAUDE_BELLS), "pane")),
    ...practice.rows,
  ];
  const { misread } = practice;
  const document = { seed, floors, rows, misread };
  process.stdout.write(options.json ? `${JSON.stringify(document)}\n` : print(rows, floors));
  if (options.record) recordRun("wake", document);
  if (misread > 0) console.error(`${misread} messages were not read exactly once`);
  return misread > 0 || rows.some(({ harm, failed }) => harm + failed > 0) ? EXIT_HARM : 0;
}

function print(rows: BellRow[], floors: Floors): string {
  const cells = rows.map((row) => [
    row.agent,
    row.way,
    row.state,
    ...[row.bells, row.begun, row.failed, row.harm, row.empty].map(String),
    ...[row.p50, row.p95, row.p99].map(ms),
  ]);
  return [
    printTable([HEAD, ...cells]),
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
