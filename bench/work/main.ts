/**
 * `npm run bench:work -- [--seed N] [--quick] [--json] [--record]`: an army of four stand-ins works on tasks whose fate
 * is known beforehand; what has landed is verified with git, and landing is timed next to a loop of `git merge`.
 */
import { constants, cpus, loadavg } from "node:os";
import { setImmediate } from "node:timers/promises";
import { parseArgs } from "node:util";
import { onceAskedToEnd } from "../../src/system/process.ts";
import { recordRun } from "../record-run.ts";
import { describeMachine, printReport } from "../report.ts";
import { runWork, WHOLE, type WorkRun } from "./run-work.ts";

const EXIT_WORK = 1;
const EXIT_USAGE = 2;
/** Shows that the benchmark works, not how fast ovld is. */
const QUICK = { groups: 2, branches: [1, 4], files: 100, rounds: 1, claims: 60, tasks: 100, samples: 3 };

process.exitCode = await main(process.argv.slice(2));

interface Options {
  seed: number;
  quick: boolean;
  json: boolean;
  /** Records the run as the one that the documents show. */
  record: boolean;
}

async function main(args: string[]): Promise<number> {
  const options = parseOptions(args);
  if ("problem" in options) {
    console.error(`bench:work: ${options.problem}`);
    return EXIT_USAGE;
  }
  const { seed, quick, json } = options;
  const load = loadavg()[0] ?? 0;
  console.error(`seed ${seed}, load ${load.toFixed(1)} on ${cpus().length} CPUs`);
  const ended = await runUntilAsked((stop) =>
    runWork({
      seed,
      stop,
      size: quick ? QUICK : WHOLE,
      tell: (progress) => console.error(progress),
    }),
  );
  if ("signal" in ended) return 128 + constants.signals[ended.signal];
  const { rows, faults } = ended;
  const run = { ...describeMachine(), seed, load, rows };
  if (options.record) recordRun("work", run);
  for (const fault of faults) console.error(fault);
  process.stdout.write(json ? `${JSON.stringify({ ...run, faults })}\n` : printReport(rows, { json, quick }));
  return faults.length === 0 ? 0 : EXIT_WORK;
}

/** Ctrl-C stops what is being measured, which then removes its folders as it does after every failure. */
async function runUntilAsked(
  action: (stop: AbortSignal) => Promise<WorkRun>,
): Promise<WorkRun | { signal: NodeJS.Signals }> {
  const ending = new AbortController();
  let asked: NodeJS.Signals | undefined;
  onceAskedToEnd((signal) => {
    asked = signal;
    ending.abort();
  });
  try {
    return await action(ending.signal);
  } catch (error) {
    // The terminal's Ctrl-C ends a git that this process waits for; its own signal is heard only after that.
    await setImmediate();
    if (asked === undefined) throw error;
    return { signal: asked };
  }
}

function parseOptions(args: string[]): Options | { problem: string } {
  try {
    const { values } = parseArgs({
      args,
      options: {
        seed: { type: "string", default: String(Date.now() % 1_000_000) },
        quick: { type: "boolean", default: false },
        json: { type: "boolean", default: false },
        record: { type: "boolean", default: false },
      },
    });
    const { quick, json, record } = values;
    const seed = Number(values.seed);
    if (!Number.isInteger(seed) || seed < 0)
      return { problem: `--seed takes a whole number, not "${values.seed}"` };
    if (record && quick) return { problem: "--record takes a whole run" };
    return { seed, quick, json, record };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}
