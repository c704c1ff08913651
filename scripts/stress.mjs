// `npm run stress`: runs the tests on a busy machine: next to eight counting loops and a disk that is being synced.
// Arguments go to vitest. The other work ends with the run, however that ends.
import { spawn } from "node:child_process";
import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { installIfMissing } from "./install.mjs";
import { findLeftovers } from "./test-leftovers.mjs";

const BUSY_LOOPS = 8;
const THIS_FILE = fileURLToPath(import.meta.url);

const args = process.argv.slice(2);
if (args[0] === "--loop") work(() => {});
else if (args[0] === "--sync") syncTheDisk();
else await stress();

async function stress() {
  const root = fileURLToPath(new URL("..", import.meta.url));
  installIfMissing(root);
  const { buildPackage } = await import("./build.mjs");
  await buildPackage();
  const others = [startBeside("--sync"), ...Array.from({ length: BUSY_LOOPS }, () => startBeside("--loop"))];
  // They end when our end of the pipe closes, which happens however this process ends.
  process.on("exit", () => others.forEach(({ stdin }) => stdin.destroy()));
  console.log(`Beside the tests: ${BUSY_LOOPS} busy loops and a disk that is being synced.`);
  const mark = Math.random().toString(36).slice(2, 7);
  const vitest = spawn(join(root, "node_modules/.bin/vitest"), ["run", ...args], {
    cwd: root,
    env: { ...process.env, OVLD_TEST_RUN: mark },
    stdio: "inherit",
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => vitest.kill(signal));
  const code = await new Promise((resolve) => vitest.once("exit", resolve));
  const left = await findLeftovers(mark);
  if (left.length > 0) console.log(`The tests left something behind:\n${left.join("\n")}`);
  process.exit(left.length > 0 ? 1 : (code ?? 1));
}

function startBeside(task) {
  return spawn(process.execPath, [THIS_FILE, task], { stdio: ["pipe", "ignore", "inherit"] });
}

function syncTheDisk() {
  const folder = mkdtempSync(join(tmpdir(), "ovld-stress-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  const megabyte = Buffer.alloc(1 << 20, 1);
  work(() => {
    const file = openSync(join(folder, "written-again-and-again"), "w");
    writeSync(file, megabyte);
    fsyncSync(file);
    closeSync(file);
  });
}

/** Runs until the parent process is gone. */
function work(step) {
  process.stdin.resume().once("close", () => process.exit());
  // Ctrl-C is for the tests; this process ends when they do.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {});
  const turn = () => {
    const until = performance.now() + 50;
    while (performance.now() < until) step();
    setImmediate(turn);
  };
  turn();
}
