// Installs what the lock file names, if it is not installed yet.
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

export async function installIfMissing(root) {
  const lock = join(root, "package-lock.json");
  const installed = join(root, "node_modules", ".installed-lock.json");
  if (existsSync(installed) && readFileSync(installed, "utf8") === readFileSync(lock, "utf8")) return;
  console.log("Installing the locked dependencies …");
  const install = spawnSync("npm", ["ci", "--no-audit", "--no-fund"], { cwd: root, stdio: "inherit" });
  if (install.status !== 0) {
    console.error("npm ci failed; its output above says why.");
    process.exit(1);
  }
  copyFileSync(lock, installed);
}
