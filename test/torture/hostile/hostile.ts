/**
 * Gives ovld bad input of every kind: lines for a real relay, files in the store, configurations, and names.
 *
 * After each input: nothing has crashed or hangs, there was an answer in the protocol or a sentence, no terminal
 * control characters came out, no file outside the store has changed, and no mail was lost.
 */
import { attackFiles } from "./files-lane.ts";
import { configInput, nameInput } from "./inputs.ts";
import { attackProgram } from "./program-lane.ts";
import { attackTools } from "./tools-lane.ts";

/** One kind of attack: how many inputs, and where to report. */
export interface Lane {
  count: number;
  seed: number;
  tell: (inputs: number) => void;
  breach: (what: string) => void;
}

interface Kind {
  share: number;
  /** How many run in parallel, each in a place of its own. */
  lanes: number;
  attack: (lane: Lane) => Promise<void>;
}

const KINDS: Record<string, Kind> = {
  tools: { share: 0.5, lanes: 1, attack: attackTools },
  files: { share: 0.2, lanes: 3, attack: attackFiles },
  configuration: { share: 0.15, lanes: 1, attack: (lane) => attackProgram(lane, configInput) },
  names: { share: 0.15, lanes: 1, attack: (lane) => attackProgram(lane, nameInput) },
};

export interface HostileReport {
  seed: number;
  /** For each kind. */
  inputs: Record<string, number>;
  /** How long each kind took. */
  secondsOf: Record<string, number>;
  total: number;
  breaches: string[];
}

/** More of one kind would only hide the others. */
const MOST_BREACHES = 20;

export async function tortureWithInputs({
  inputs,
  seed,
  onProgress,
}: {
  inputs: number;
  seed: number;
  onProgress?: (done: number) => void;
}): Promise<HostileReport> {
  const report: HostileReport = { seed, inputs: {}, secondsOf: {}, total: 0, breaches: [] };
  const run = async ([kind, { share, lanes, attack }]: [string, Kind]): Promise<void> => {
    const started = performance.now();
    let found = 0;
    const lane = {
      count: Math.ceil((inputs * share) / lanes),
      tell(number: number) {
        report.inputs[kind] = (report.inputs[kind] ?? 0) + number;
        report.total += number;
        onProgress?.(report.total);
      },
      breach(what: string) {
        if ((found += 1) <= MOST_BREACHES) report.breaches.push(`${kind}: ${what}`);
      },
    };
    const seeds = Array.from({ length: lanes }, (_, index) => seed + index * inputs);
    await Promise.all(seeds.map((own) => attack({ ...lane, seed: own })));
    report.secondsOf[kind] = Math.round((performance.now() - started) / 1000);
  };
  await Promise.all(Object.entries(KINDS).map(run));
  return report;
}
