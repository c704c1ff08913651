// `npm start`: from a fresh clone to a working army: install, build, run the practice campaign (in trees if there is a Git
// for them), for which ovld provides Zellij if there is none. Arguments are passed on to `ovld practice`.
import { spawn, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { installIfMissing } from "./install.mjs";
import { startTexts } from "./start-texts.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const { steps } = startTexts(process.env, process.argv);
const STEPS = Object.keys(steps).length;

try {
  console.error(`1/${STEPS} ${steps.packages}`);
  installIfMissing(root);
  console.error(`2/${STEPS} ${steps.build}`);
  const { buildPackage } = await import("./build.mjs");
  await buildPackage();
  console.error(`3/${STEPS} ${steps.practice}`);
  process.exitCode = await practice();
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}

/** The campaign cleans up when it is interrupted, so it receives every signal and is waited for. */
function practice() {
  const words = process.argv.slice(2);
  const wanted = words.length === 0 && hasGit() ? ["--trees"] : words;
  const args = [`${root}bin/ovld.cjs`, "practice", "--yes", ...wanted];
  const child = spawn(process.execPath, args, { stdio: "inherit" });
  // A terminal sends Ctrl-C to both processes.
  process.on("SIGINT", () => {});
  for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  return new Promise((resolve, reject) => child.once("error", reject).once("exit", resolve));
}

/** One with which an army can have trees. */
function hasGit() {
  const { stdout } = spawnSync("git", ["--version"], { encoding: "utf8" });
  const [, major, minor] = /(\d+)\.(\d+)/.exec(stdout ?? "") ?? [];
  return Number(major) > 2 || (Number(major) === 2 && Number(minor) >= 38);
}
