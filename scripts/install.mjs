// Installs what the lock file names, if it is not installed yet.
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { startTexts } from "./start-texts.mjs";

export function installIfMissing(root) {
  const lock = join(root, "package-lock.json");
  const installed = join(root, "node_modules", ".installed-lock.json");
  if (existsSync(installed) && readFileSync(installed, "utf8") === readFileSync(lock, "utf8")) return;
  const texts = startTexts(process.env, process.argv);
  console.error(texts.installing);
  const install = spawnSync("npm", ["ci", "--no-audit", "--no-fund"], {
    cwd: root,
    stdio: ["ignore", process.stderr.fd, "inherit"],
  });
  if (install.status !== 0) {
    console.error(texts.installFailed);
    process.exit(1);
  }
  copyFileSync(lock, installed);
}
