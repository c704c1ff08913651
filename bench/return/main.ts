/**
 * `npm run bench:return -- [--rounds N] [--agent practice] [--seed N] [--json]`: cuts the power of an army again and
 * again, brings it back, and counts what was lost, doubled or told wrongly.
 */
import { parseArgs } from "node:util";
import { makeZellijAvailable } from "../wake/zellij.ts";
import { runClaudeRounds } from "./claude-rounds.ts";
import { runPracticeRounds } from "./practice-rounds.ts";
import { isFlawless, printTally } from "./tally.ts";

const EXIT_USAGE = 2;
const RUNS = {
  claude: { rounds: 20, run: runClaudeRounds },
  practice: { rounds: 200, run: runPracticeRounds },
} as const;

process.exitCode = await main();

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      rounds: { type: "string" },
      agent: { type: "string", default: "claude" },
      seed: { type: "string", default: String(Date.now() % 1_000_000) },
      json: { type: "boolean", default: false },
    },
  });
  const chosen = values.agent === "claude" || values.agent === "practice" ? RUNS[values.agent] : undefined;
  const rounds = Number(values.rounds ?? chosen?.rounds);
  const seed = Number(values.seed);
  if (chosen === undefined || !Number.isInteger(rounds) || rounds < 1 || !Number.isInteger(seed)) {
    console.error("bench:return: --agent is claude or practice; --rounds and --seed take whole numbers");
    return EXIT_USAGE;
  }
  makeZellijAvailable();
  console.error(`seed ${seed}`);
  const tally = await chosen.run(rounds, seed, (words) => console.error(words), { withFloor: true });
  console.log(values.json ? JSON.stringify(tally) : printTally(tally));
  return isFlawless(tally) ? 0 : 1;
}
