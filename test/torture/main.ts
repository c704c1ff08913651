/** `npm run torture -- [--rounds N] [--seed N]`: any number of rounds, with progress and a report. */
import { parseArgs } from "node:util";
import { torture } from "./torture.ts";

const PROGRESS_EVERY = 250;

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "1000" },
    seed: { type: "string", default: `${Date.now() % 1e9}` },
  },
});
const rounds = wholeNumber("--rounds", values.rounds);
const seed = wholeNumber("--seed", values.seed);
const started = performance.now();
const report = await torture({
  rounds,
  seed,
  onRound(done) {
    const seconds = Math.round((performance.now() - started) / 1000);
    if (done % PROGRESS_EVERY === 0) console.error(`${done} of ${rounds} rounds, ${seconds} s`);
  },
});
console.log(JSON.stringify(report, undefined, 2));
process.exitCode = report.breaches.length === 0 ? 0 : 1;

function wholeNumber(flag: string, text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 0) return value;
  console.error(`${flag} takes a whole number, not "${text}".`);
  process.exit(2);
}
