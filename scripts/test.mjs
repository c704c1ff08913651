// `npm test`: does everything a fresh clone needs, in order: install, build, check, test the built program.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { installIfMissing } from "./install.mjs";
import { findLeftovers } from "./test-leftovers.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));

installIfMissing(root);
const checks = [
  ["build", "node", "scripts/build.mjs"],
  ["format", "prettier", "--check", "--log-level", "warn", "."],
  ["lint", "oxlint", "--deny-warnings"],
  ["types", "tsc", "--project", "."],
  ["types of the page", "tsc", "--project", "src/desk/page"],
  ["unused code", "knip"],
  ["package", "publint", "--strict"],
];
for (const [name, program, ...args] of checks) {
  const started = performance.now();
  if (!run(program, args)) endWithFailedCheck(name);
  console.log(`ok: ${name} (${((performance.now() - started) / 1000).toFixed(1)} s)`);
}
const mark = Math.random().toString(36).slice(2, 7);
const passed = run("vitest", ["run", ...process.argv.slice(2)], { OVLD_TEST_RUN: mark });
const left = await findLeftovers(mark);
if (left.length > 0) console.log(`The tests left something behind:\n${left.join("\n")}`);
process.exitCode = passed && left.length === 0 ? 0 : 1;

function run(program, args, more = {}) {
  const env = { ...process.env, ...more, PATH: `${root}node_modules/.bin:${process.env.PATH}` };
  return spawnSync(program, args, { cwd: root, env, stdio: "inherit" }).status === 0;
}

function endWithFailedCheck(name) {
  console.log(`The check "${name}" failed; no test was run.\n0 passed, 1 failed, 0 skipped`);
  process.exit(1);
}
