/** Programs that tests fetch from npm, kept in the user's cache folder from one run to the next. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

export interface NpmProgram {
  name: string;
  version: string;
  /** Where the program is in its package. */
  file: string;
}

/** The path of the program, which is fetched if it is not there yet. */
export function fetchProgram(program: NpmProgram): string {
  const { name, version } = program;
  const path = cachedPath(program);
  if (!existsSync(path)) fetchInto(cacheFolder(program), `${name}@${version}`);
  return path;
}

/** Where the program is, or will be. */
export function cachedPath(program: NpmProgram): string {
  return join(cacheFolder(program), "node_modules", program.name, program.file);
}

function cacheFolder({ name, version }: NpmProgram): string {
  const cache = join(process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "ovld", "npm");
  return join(cache, `${name.replace("/", "-")}@${version}`);
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
