// Finds a suitable Zellij, or puts one into the user's cache folder, once per machine: the released program if it is
// available, otherwise one built by cargo.
//
// Cargo keeps what it has compiled, so an interrupted build resumes where it stopped. Two builders at the same time
// take turns: the one with the lock touches it every few seconds, and a lock that is no longer touched is void.
import { spawn, spawnSync } from "node:child_process";
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { delimiter, isAbsolute, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { downloadZellij, NotDownloaded } from "./download-zellij.mjs";
import { startTexts } from "./start-texts.mjs";

const VERSION = "0.45.1";
/** The SHA-256 of its archives. CONTRIBUTING.md says where they come from. */
const SUMS = {
  "x86_64-unknown-linux-musl": "40bcc2e03f5d5ae8e054e39f676081fe12ab70871506996ba595834c3718eefc",
  "aarch64-unknown-linux-musl": "05f0802afadd53f8db9514e7cae53c9ae8432fed1b35b8294aa816ee3044a16b",
  "x86_64-apple-darwin": "8e8bea22737d1652278c51fc5c26c7c22c9855d0ebb9634a84b8873823093114",
  "aarch64-apple-darwin": "c029ba4fe1927b79ad9f0cdd59155c4dff80777863c85857d4d09b88b56f9891",
};
const OLDEST = [0, 44, 1];
const LOCK_TOUCHED_MS = 3_000;
const LOCK_VOID_MS = 30_000;

const texts = startTexts(process.env, process.argv);

/** The absolute path of a suitable Zellij. `say` is called with what is being done. */
export async function provideZellij(say) {
  const found = findZellij();
  if (found) return found;
  mkdirSync(cacheFolder(), { recursive: true });
  const release = await lock(say);
  try {
    return findZellij() ?? (await download(say)) ?? (await build(say));
  } finally {
    release();
  }
}

/** On the PATH, or in the cache folder; absolute, because the process that runs it may have another PATH. */
function findZellij() {
  const folders = (process.env.PATH ?? "").split(delimiter).filter((folder) => isAbsolute(folder));
  const onPath = folders.map((folder) => join(folder, "zellij")).find((file) => isProgram(file));
  return [onPath, cachedZellij()].find((program) => program !== undefined && fits(program));
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function fits(program) {
  const { stdout, status } = spawnSync(program, ["--version"], { encoding: "utf8" });
  const numbers = /(\d+)\.(\d+)\.(\d+)/
    .exec(stdout ?? "")
    ?.slice(1)
    .map(Number);
  if (status !== 0 || !numbers) return false;
  const differing = numbers.findIndex((number, index) => number !== OLDEST[index]);
  return differing === -1 || numbers[differing] > OLDEST[differing];
}

function cacheFolder() {
  return join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "ovld", "zellij");
}

function cachedZellij() {
  return join(cacheFolder(), VERSION, "bin", "zellij");
}

/** The released program; undefined if it is not available. */
async function download(say) {
  const root = join(cacheFolder(), `${VERSION}-download`);
  const program = join(root, "bin", "zellij");
  const began = Date.now();
  let told = began;
  const onProgress = (bytes) => {
    if (Date.now() - told < progressEvery()) return;
    told = Date.now();
    say(texts.downloadProgress((bytes / 1e6).toFixed(1), elapsed(began)), { passing: true });
  };
  say(texts.downloading(VERSION));
  try {
    await downloadZellij({ version: VERSION, sums: SUMS }, program, { texts, onProgress });
    if (!fits(program)) throw new NotDownloaded(texts.doesNotRun);
    keep(root);
    say(texts.downloaded(VERSION, elapsed(began)));
    return cachedZellij();
  } catch (error) {
    if (!(error instanceof NotDownloaded)) throw error;
    say(texts.notDownloaded(error.message));
    return undefined;
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** In one step, so that a half-installed one is never found. */
function keep(root) {
  rmSync(join(cacheFolder(), VERSION), { recursive: true, force: true });
  renameSync(root, join(cacheFolder(), VERSION));
}

async function build(say) {
  if (spawnSync("cargo", ["--version"]).status !== 0) throw new Error(texts.waysToGetIt(OLDEST.join(".")));
  const target = join(cacheFolder(), `${VERSION}-build`);
  const root = join(cacheFolder(), `${VERSION}-root`);
  say(texts.building(VERSION));
  await runCargo(target, root, say);
  keep(root);
  rmSync(target, { recursive: true, force: true });
  return cachedZellij();
}

async function runCargo(target, root, say) {
  const features = ["--no-default-features", "--features", "plugins_from_target,vendored_curl"];
  const cargo = spawn("cargo", ["install", "--locked", `zellij@${VERSION}`, ...features, "--root", root], {
    stdio: ["ignore", "ignore", "pipe"],
    env: {
      ...process.env,
      CARGO_TARGET_DIR: target,
      CARGO_PROFILE_RELEASE_LTO: "off",
      CARGO_PROFILE_RELEASE_CODEGEN_UNITS: "16",
      CARGO_PROFILE_RELEASE_OPT_LEVEL: "2",
      CARGO_TERM_PROGRESS_WHEN: "always",
      CARGO_TERM_PROGRESS_WIDTH: "100",
    },
  });
  const stop = () => cargo.kill("SIGTERM");
  process.once("SIGINT", stop).once("SIGTERM", stop);
  const began = Date.now();
  let told = began;
  let tail = "";
  cargo.stderr.setEncoding("utf8").on("data", (text) => {
    tail = (tail + text).slice(-4_000);
    const [, done, total] = [...text.matchAll(/\] (\d+)\/(\d+)/g)].at(-1) ?? [];
    if (done === undefined || Date.now() - told < progressEvery()) return;
    told = Date.now();
    say(texts.progress(done, total, elapsed(began)), { passing: true });
  });
  const code = await new Promise((resolve) => cargo.once("close", resolve).once("error", resolve));
  process.off("SIGINT", stop).off("SIGTERM", stop);
  if (code !== 0) throw new Error(texts.buildFailed(tail.trim()));
  say(texts.built(VERSION, elapsed(began)));
}

/** On a terminal the progress is redrawn in place; elsewhere it is a line now and then. */
function progressEvery() {
  return process.stderr.isTTY ? 250 : 15_000;
}

function elapsed(since) {
  const seconds = Math.round((Date.now() - since) / 1000);
  return texts.elapsed(Math.floor(seconds / 60), seconds % 60);
}

async function lock(say) {
  const file = join(cacheFolder(), "building.lock");
  for (let waited = false; ; waited = true) {
    try {
      writeFileSync(file, `${process.pid}\n`, { flag: "wx" });
      break;
    } catch (error) {
      if (error.code !== "EEXIST") throw error;
    }
    if (!waited) say(texts.waiting);
    const touched = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (Date.now() - touched > LOCK_VOID_MS) rmSync(file, { force: true });
    else await pause(500);
  }
  const touch = setInterval(() => {
    // The cache may have been cleared; the build does not depend on it.
    if (existsSync(file)) utimesSync(file, new Date(), new Date());
  }, LOCK_TOUCHED_MS);
  return () => {
    clearInterval(touch);
    rmSync(file, { force: true });
  };
}

/** Prints on stderr; on a terminal the next line overwrites a passing one. */
export function tell(sentence, { passing = false } = {}) {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${sentence}${passing ? "" : "\n"}`);
  else process.stderr.write(`${sentence}\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    console.log(await provideZellij(tell));
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
