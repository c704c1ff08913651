/** Other versions of Node, from npm, kept in the user's cache folder from one run to the next. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

const PACKAGE = `node-${process.platform}-${process.arch}`;

export function nodeBinary(version: string): string {
  const cache = join(process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "ovld", "node");
  const folder = join(cache, version);
  const binary = join(folder, "node_modules", PACKAGE, "bin", "node");
  if (!existsSync(binary)) fetchInto(folder, version);
  return binary;
}

/** Beside its place and then into it in one step, so that an interrupted download is never taken for a whole one. */
function fetchInto(folder: string, version: string): void {
  mkdirSync(dirname(folder), { recursive: true });
  const aside = mkdtempSync(`${folder}-`);
  try {
    const args = ["install", "--prefix", aside, "--no-save", "--ignore-scripts", "--no-audit", "--no-fund"];
    const install = spawnSync("npm", [...args, `${PACKAGE}@${version}`], { encoding: "utf8" });
    if (install.status !== 0) throw new Error(`Node ${version} could not be fetched: ${install.stderr}`);
    rmSync(folder, { recursive: true, force: true });
    renameSync(aside, folder);
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}
