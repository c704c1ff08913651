// `npm start`: from a fresh clone to a working army: install, build, find, download or build Zellij, run the practice
// campaign. Arguments are passed on to `ovld practice`.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { installIfMissing } from "./install.mjs";
import { provideZellij, tell } from "./provide-zellij.mjs";
import { startTexts } from "./start-texts.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const { steps } = startTexts(process.env, process.argv);
const STEPS = Object.keys(steps).length;

try {
  tell(`1/${STEPS} ${steps.packages}`);
  installIfMissing(root);
  tell(`2/${STEPS} ${steps.build}`);
  const { buildPackage } = await import("./build.mjs");
  await buildPackage();
  tell(`3/${STEPS} ${steps.zellij}`);
  tell(`    ${await provideZellij(tell)}`);
  tell(`4/${STEPS} ${steps.practice}`);
  process.exitCode = await practice();
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}

/** The campaign cleans up when it is interrupted, so it receives every signal and is waited for. */
function practice() {
  const args = [`${root}bin/ovld.cjs`, "practice", ...process.argv.slice(2)];
  const child = spawn(process.execPath, args, { stdio: "inherit" });
  // A terminal sends Ctrl-C to both processes.
  process.on("SIGINT", () => {});
  for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  return new Promise((resolve, reject) => child.once("error", reject).once("exit", resolve));
}
