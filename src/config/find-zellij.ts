/** Finds Zellij: where the person says, on the PATH, or where `npm start` put it. */
import { readdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { findProgram, type Environment } from "../system/run-program.ts";

export function zellijCandidates(env: Environment, chosen?: string): string[] {
  // If the person names a program, only that one counts, even if it is missing.
  if (chosen !== undefined) return [chosen];
  return [findProgram("zellij", env["PATH"]), cachedZellij(env)].filter((program) => program !== undefined);
}

/** The newest one in the user's cache folder. */
function cachedZellij(env: Environment): string | undefined {
  const folder = join(env["XDG_CACHE_HOME"] || join(env["HOME"] || homedir(), ".cache"), "ovld", "zellij");
  try {
    const versions = readdirSync(folder).filter((name) => /^\d+(\.\d+)*$/.test(name));
    const newest = versions
      .toSorted((one, other) => one.localeCompare(other, "en", { numeric: true }))
      .at(-1);
    return newest === undefined ? undefined : findProgram(join(folder, newest, "bin", "zellij"), undefined);
  } catch {
    return undefined;
  }
}
