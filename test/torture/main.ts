/**
 * `npm run torture -- [--rounds N] [--seed N]`: any number of rounds in which a process is killed. `npm run torture
 * -- --hostile [--inputs N] [--seed N]`: any number of bad inputs. `npm run torture -- --hub [--rounds N] [--seed N]`:
 * any number of kills and cuts of a hub, its users and its links; SIGTERM ends it early. `npm run torture -- --trees
 * [--rounds N] [--seed N]`: any number of rounds in which those who work in trees and land are killed. All with progress and a report;
 * `--record` saves that of mail or of trees for the documents.
 */
import { parseArgs } from "node:util";
import { recordRun } from "../../bench/record-run.ts";
import { provideServer } from "../../src/machines/server/nats-server.ts";
import { tortureWithInputs } from "./hostile/hostile.ts";
import { tortureHub } from "./machines/hub-torture.ts";
import { torture } from "./torture.ts";
import { tortureTrees } from "./trees/torture-trees.ts";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "1000" },
    seed: { type: "string", default: `${Date.now() % 1e9}` },
    hostile: { type: "boolean", default: false },
    hub: { type: "boolean", default: false },
    trees: { type: "boolean", default: false },
    record: { type: "boolean", default: false },
    inputs: { type: "string", default: "100000" },
  },
});
if (values.record && (values.hostile || values.hub)) {
  console.error("--record takes a run without --hostile and --hub.");
  process.exit(2);
}
const rounds = wholeNumber("--rounds", values.rounds);
const inputs = wholeNumber("--inputs", values.inputs);
const seed = wholeNumber("--seed", values.seed);
const started = performance.now();
const report = values.hostile
  ? await tortureWithInputs({ inputs, seed, onProgress: telling(inputs, 5_000, "inputs") })
  : values.hub
    ? await tortureTheHub()
    : values.trees
      ? await tortureTrees({ rounds, seed, onRound: telling(rounds, 50, "rounds") })
      : await torture({ rounds, seed, onRound: telling(rounds, 250, "rounds") });
const document = { ...report, seconds: secondsSoFar() };
console.log(JSON.stringify(document, undefined, 2));
if (values.record) recordRun(values.trees ? "trees" : "torture", document);
process.exitCode = report.breaches.length === 0 ? 0 : 1;

async function tortureTheHub() {
  const ending = new AbortController();
  process.once("SIGTERM", () => ending.abort());
  const stop = ending.signal;
  const { program } = await provideServer(process.env, { onStep: (step) => console.error(step), stop });
  process.env["OVLD_TEST_NATS"] = program;
  return tortureHub({ rounds, seed, stop, onRound: telling(rounds, 50, "rounds") });
}

function telling(all: number, every: number, what: string): (done: number) => void {
  let next = every;
  console.error(`seed ${seed}`);
  return (done) => {
    if (done < next) return;
    console.error(`${done} of ${all} ${what}, ${secondsSoFar()} s`);
    next += every;
  };
}

function secondsSoFar(): number {
  return Math.round((performance.now() - started) / 1000);
}

function wholeNumber(flag: string, text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 0) return value;
  console.error(`${flag} takes a whole number, not "${text}".`);
  process.exit(2);
}
