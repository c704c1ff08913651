/**
 * `npm run torture -- [--rounds N] [--seed N]`: any number of rounds in which a process is killed. `npm run torture
 * -- --hostile [--inputs N] [--seed N]`: any number of bad inputs. `npm run torture -- --hub [--rounds N] [--seed N]`:
 * any number of kills and cuts of a hub, its users and its links; SIGTERM ends it early. All with progress and a report.
 */
import { parseArgs } from "node:util";
import { provideServer } from "../../src/machines/server/provide-server.ts";
import { tortureWithInputs } from "./hostile/hostile.ts";
import { tortureHub } from "./machines/hub-torture.ts";
import { torture } from "./torture.ts";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "1000" },
    seed: { type: "string", default: `${Date.now() % 1e9}` },
    hostile: { type: "boolean", default: false },
    hub: { type: "boolean", default: false },
    inputs: { type: "string", default: "100000" },
  },
});
const rounds = wholeNumber("--rounds", values.rounds);
const inputs = wholeNumber("--inputs", values.inputs);
const seed = wholeNumber("--seed", values.seed);
const started = performance.now();
const report = values.hostile
  ? await tortureWithInputs({ inputs, seed, onProgress: telling(inputs, 5_000, "inputs") })
  : values.hub
    ? await tortureTheHub()
    : await torture({ rounds, seed, onRound: telling(rounds, 250, "rounds") });
console.log(JSON.stringify({ ...report, seconds: secondsSoFar() }, undefined, 2));
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
