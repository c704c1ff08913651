/** Programs that tests fetch from npm, kept in the user's cache folder between runs. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

export interface NpmProgram {
  name: string;
  version: string;
  /** The program's path in its package. */
  file: string;
}

/** The path of the program, which is fetched first if necessary. */
export function fetchProgram(program: NpmProgram): string {
  const { name, version } = program;
  const path = cachedPath(program);
  if (!existsSync(path)) fetchInto(cacheFolder(program), `${name}@${version}`);
  return path;
}

/** The program's path, whether or not it has been fetched. */
export function cachedPath(program: NpmProgram): string {
  return join(cacheFolder(program), "node_modules", program.name, program.file);
}

function cacheFolder({ name, version }: NpmProgram): string {
  const cache = join(process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "ovld", "npm");
  return join(cache, `${name.replace("/", "-")}@${version}`);
}

/**
 * Fetches next to the final place and moves it there in one step, so that an interrupted download never looks
 * complete.
 */
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
      // Another test has fetched it in the meantime.
      if (!existsSync(folder)) throw error;
    }
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}
