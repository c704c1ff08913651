/**
 * `npm run mutate -- [--count N] [--seed N] [--folder NAME]… [--again REPORT] [--unit] [--json]`: puts random faults
 * into the sources, one at a time, and names those that no unit or process test notices; with `--unit`, no unit test.
 */
import { readdirSync, readFileSync } from "node:fs";
import { setPriority } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { seededRandom } from "../torture/seeded-random.ts";
import { findMutants, type Mutant } from "./find-mutants.ts";
import { openWorkshop, ROUNDS, type Verdict } from "./try-mutant.ts";

const FOLDERS = ["mail", "bell", "rituals", "relay"];
const GOAL = 85;

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "200" },
    seed: { type: "string", default: `${Date.now() % 1e9}` },
    folder: { type: "string", multiple: true, default: FOLDERS },
    again: { type: "string" },
    unit: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  },
});
const [count, seed] = [Number(values.count), Number(values.seed)];
if (!(count > 0 && seed >= 0)) {
  console.error("--count and --seed take whole numbers.");
  process.exit(2);
}

const unknown = values.folder.find((folder) => !FOLDERS.includes(folder));
if (unknown !== undefined) {
  console.error(`--folder takes one of ${FOLDERS.join(", ")}, not "${unknown}".`);
  process.exit(2);
}

// It takes hours of processor time, which other work may need more.
setPriority(5);
const checkout = process.cwd();
const chosen = values.again === undefined ? chooseMutants() : survivorsOf(values.again);
const workshop = openWorkshop(checkout);
say(`${chosen.length} mutants of ${values.folder.join(", ")}, seed ${seed}`);
// Round by round, the quickest tests first, so that most results come early.
let alive = chosen;
const killed: (Mutant & Verdict)[] = [];
for (const round of values.unit ? ROUNDS.slice(0, 1) : ROUNDS) {
  if (alive.length === 0) break;
  const sound = await workshop.tryNone(alive, round);
  if (sound.verdict === "killed") {
    console.error(`A test fails without any fault, so nothing can be proved: ${sound.by}`);
    process.exit(1);
  }
  const survivors: Mutant[] = [];
  for (const [index, mutant] of alive.entries()) {
    const verdict = await workshop.tryMutant(mutant, round);
    if (verdict.verdict === "survived") survivors.push(mutant);
    else killed.push({ ...mutant, ...verdict });
    const how = verdict.verdict === "killed" ? `(${verdict.by})` : `the ${round} tests`;
    say(`${index + 1}/${alive.length} ${verdict.verdict} ${describe(mutant)} ${how}`);
  }
  alive = survivors;
}
const percent = Math.floor((100 * killed.length) / chosen.length);
if (values.json) console.log(JSON.stringify({ seed, percent, survived: alive, killed }, undefined, 2));
else {
  for (const mutant of alive) console.log(`survived ${describe(mutant)}`);
  console.log(`${killed.length} of ${chosen.length} killed (${percent} %), seed ${seed}`);
}
process.exitCode = percent >= GOAL ? 0 : 1;

function chooseMutants(): Mutant[] {
  const left = values.folder.flatMap((folder) => sourcesIn(`src/${folder}`)).flatMap(mutantsOf);
  const random = seededRandom(seed);
  const picked: Mutant[] = [];
  while (picked.length < count && left.length > 0) picked.push(...left.splice(random(left.length), 1));
  return picked;
}

/** Needs the same sources: a survivor is found again by its place. */
function survivorsOf(report: string): Mutant[] {
  const { survived }: { survived: Mutant[] } = JSON.parse(readFileSync(report, "utf8"));
  const wanted = survived.map(describe);
  const files = new Set(survived.map(({ file }) => file));
  return [...files].flatMap(mutantsOf).filter((mutant) => wanted.includes(describe(mutant)));
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
