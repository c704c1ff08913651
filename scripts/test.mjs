// `npm test` (--first), `npm run test:rest` (--rest) and `npm run test:all` (--all): does everything a fresh clone needs,
// in order: install, build, check, test the built program. The checks belong to the first tier. Other arguments go to
// vitest.
import { execFile, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { installIfMissing } from "./install.mjs";
import { findLeftovers } from "./test-leftovers.mjs";

const CHECKS = [
  ["format", "prettier", "--check", "--cache", "--log-level", "warn", "."],
  ["lint", "oxlint", "--deny-warnings"],
  ["types", "tsc", "--project", "."],
  ["types of the page", "tsc", "--project", "src/desk/page"],
  ["unused code", "knip"],
  ["package", "publint", "--strict"],
];

const root = fileURLToPath(new URL("..", import.meta.url));
const env = { ...process.env, PATH: `${root}node_modules/.bin:${process.env.PATH}` };
const [tier, ...args] = process.argv.slice(2);

installIfMissing(root);
await pass([["build", "node", "scripts/build.mjs"]]);
if (tier !== "--rest") await pass(CHECKS);
const mark = Math.random().toString(36).slice(2, 7);
const tests = spawnSync("vitest", ["run", ...select(), ...args], {
  cwd: root,
  env: { ...env, OVLD_TEST_RUN: mark },
  stdio: "inherit",
});
const left = await findLeftovers(mark);
if (left.length > 0) console.log(`The tests left something behind:\n${left.join("\n")}`);
process.exitCode = tests.status === 0 && left.length === 0 ? 0 : 1;

/** Test files that are named run, whatever their tier. */
function select() {
  if (tier === "--all" || args.some((arg) => !arg.startsWith("-"))) return [];
  return [tier === "--rest" ? ".rest.test.ts" : "--exclude=**/*.rest.test.ts"];
}

/** Side by side; goes on only if all of them pass. */
async function pass(checks) {
  const results = await Promise.all(checks.map(([name, ...command]) => check(name, command)));
  const failed = results.filter((passed) => !passed).length;
  if (failed === 0) return;
  console.log(`No test was run.\n0 passed, ${failed} failed, 0 skipped`);
  process.exit(1);
}

function check(name, [program, ...options]) {
  const started = performance.now();
  return new Promise((resolve) => {
    execFile(program, options, { cwd: root, env, maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
      process.stdout.write(stdout + stderr);
      console.log(
        `${error ? "failed" : "ok"}: ${name} (${((performance.now() - started) / 1000).toFixed(1)} s)`,
      );
      resolve(!error);
    });
  });
}
