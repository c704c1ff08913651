/**
 * `npm run mutate -- [--count N] [--seed N] [--folder NAME]… [--again REPORT] [--json]`: puts random faults into the
 * sources, one at a time, and names those that no unit or process test sees.
 */
import { readdirSync, readFileSync } from "node:fs";
import { setPriority } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { seededRandom } from "../torture/seeded-random.ts";
import { findMutants, type Mutant } from "./find-mutants.ts";
import { openWorkshop, type Verdict } from "./try-mutant.ts";

const FOLDERS = ["mail", "bell", "rituals", "relay"];
const GOAL = 0.85;
const LIMIT_MS = 600_000;

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "200" },
    seed: { type: "string", default: `${Date.now() % 1e9}` },
    folder: { type: "string", multiple: true, default: FOLDERS },
    again: { type: "string" },
    json: { type: "boolean", default: false },
  },
});
const [count, seed] = [Number(values.count), Number(values.seed)];
if (!(count > 0 && seed >= 0)) {
  console.error("--count and --seed take whole numbers.");
  process.exit(2);
}

// It takes hours of a processor's time that others may want.
setPriority(10);
const checkout = process.cwd();
const chosen = values.again === undefined ? chooseMutants() : survivorsOf(values.again);
using workshop = openWorkshop(checkout, LIMIT_MS);
say(`${chosen.length} mutants of ${values.folder.join(", ")}, seed ${seed}; first the tests without any.`);
const sound = await workshop.tryNone();
if (sound.verdict === "killed") {
  console.error(`A test fails without any fault, so nothing can be proved: ${sound.by}`);
  process.exit(1);
}
const results: (Mutant & Verdict)[] = [];
for (const mutant of chosen) {
  const verdict = await workshop.tryMutant(mutant);
  results.push({ ...mutant, ...verdict });
  const by = verdict.verdict === "killed" ? ` (${verdict.by})` : "";
  say(`${results.length}/${chosen.length} ${verdict.verdict} ${describe(mutant)}${by}`);
}
const survivors = results.filter(({ verdict }) => verdict === "survived");
const killed = results.length - survivors.length;
if (values.json)
  console.log(JSON.stringify({ seed, killed, survived: survivors.length, mutants: results }, undefined, 2));
else {
  for (const mutant of survivors) console.log(`survived ${describe(mutant)}`);
  console.log(
    `${killed} of ${results.length} killed (${Math.round((100 * killed) / results.length)} %), seed ${seed}`,
  );
}
process.exitCode = killed >= GOAL * results.length ? 0 : 1;

function chooseMutants(): Mutant[] {
  const left = values.folder.flatMap((folder) => sourcesIn(`src/${folder}`)).flatMap(mutantsOf);
  const random = seededRandom(seed);
  const picked: Mutant[] = [];
  while (picked.length < count && left.length > 0) picked.push(...left.splice(random(left.length), 1));
  return picked;
}

/** With the same sources: a survivor is found again by its place. */
function survivorsOf(report: string): Mutant[] {
  const { mutants }: { mutants: (Mutant & Verdict)[] } = JSON.parse(readFileSync(report, "utf8"));
  const survived = mutants.filter(({ verdict }) => verdict === "survived").map(describe);
  const files = new Set(mutants.map(({ file }) => file));
  return [...files].flatMap(mutantsOf).filter((mutant) => survived.includes(describe(mutant)));
}

function mutantsOf(file: string): Mutant[] {
  return findMutants(file, readFileSync(join(checkout, file), "utf8"));
}

function sourcesIn(folder: string): string[] {
  const names = readdirSync(join(checkout, folder), { recursive: true, encoding: "utf8" });
  return names
    .filter((name) => name.endsWith(".ts"))
    .map((name) => `${folder}/${name}`)
    .toSorted();
}

function describe({ file, line, change }: Mutant): string {
  return `${file}:${line}  ${change}`;
}

function say(sentence: string): void {
  console.error(sentence);
}
