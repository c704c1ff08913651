/** Records a run in docs/benchmarks.json, from which the documents take their figures. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export function recordRun(
  name: "bench" | "wake" | "campaign" | "work" | "torture" | "trees",
  run: object,
): void {
  // `npm run` starts the benchmark in the project's folder.
  const file = join(process.cwd(), "docs", "benchmarks.json");
  const runs: object = JSON.parse(readFileSync(file, "utf8"));
  writeFileSync(file, `${JSON.stringify({ ...runs, [name]: run }, undefined, 2)}\n`);
  console.error("Recorded in docs/benchmarks.json. `npm run docs` writes docs/benchmarks.md anew.");
}
