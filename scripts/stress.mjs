// `npm run stress`: `npm test` on a machine that is busy with other work: eight loops that only count, and a disk that
// is being synced. Arguments go to vitest. Whatever ends the run, the other work ends with it.
import { spawn } from "node:child_process";
import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const BUSY_LOOPS = 8;
const THIS_FILE = fileURLToPath(import.meta.url);

const args = process.argv.slice(2);
if (args[0] === "--loop") work(() => {});
else if (args[0] === "--sync") syncTheDisk();
else await stress();

async function stress() {
  const others = [start("--sync"), ...Array.from({ length: BUSY_LOOPS }, () => start("--loop"))];
  // Theirs is to end when our end of the pipe closes, which it does however we end.
  process.on("exit", () => others.forEach(({ stdin }) => stdin.destroy()));
  console.log(`Beside the tests: ${BUSY_LOOPS} busy loops and a disk that is being synced.`);
  const script = fileURLToPath(new URL("test.mjs", import.meta.url));
  const tests = spawn(process.execPath, [script, ...args], { stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => tests.kill(signal));
  const code = await new Promise((resolve) => tests.once("exit", resolve));
  process.exit(code ?? 1);
}

function start(task) {
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

/** Until whoever started us is gone. */
function work(step) {
  process.stdin.resume().once("close", () => process.exit());
  // A key for the tests is none for us: we go when they do.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {});
  const turn = () => {
    const until = performance.now() + 50;
    while (performance.now() < until) step();
    setImmediate(turn);
  };
  turn();
}
