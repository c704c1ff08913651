/** Programs that tests fetch from npm, kept in the user's cache folder from one run to the next. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

/** The folder of the installed package. */
export function fetchPackage(name: string, version: string): string {
  const cache = join(process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "ovld", "npm");
  const folder = join(cache, `${name.replace("/", "-")}@${version}`);
  const installed = join(folder, "node_modules", name);
  if (!existsSync(installed)) fetchInto(folder, `${name}@${version}`);
  return installed;
}

/** Beside its place and then into it in one step, so that an interrupted download is never taken for a whole one. */
function fetchInto(folder: string, spec: string): void {
  mkdirSync(dirname(folder), { recursive: true });
  const aside = mkdtempSync(`${folder}-`);
  try {
    const args = [
      "install",
      "--prefix",
      aside,
      "--no-save",
      "--ignore-scripts",
      "--no-audit",
      "--no-fund",
      spec,
    ];
    const install = spawnSync("npm", args, { encoding: "utf8" });
    if (install.status !== 0) throw new Error(`${spec} could not be fetched: ${install.stderr}`);
    try {
      renameSync(aside, folder);
    } catch (error) {
      // Another test fetched it in the meantime.
      if (!existsSync(folder)) throw error;
    }
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}
