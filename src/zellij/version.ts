/**
 * Finds Zellij, and says which one is new enough: 0.44.1 is the first that addresses a pane by its id and refuses a
 * socket path that is too long.
 */
import { isAtLeast } from "../system/version.ts";
import { type Zellij, runZellijAtOnce } from "./zellij.ts";
import { whyNotMakeFolder } from "../system/paths.ts";
import type { ErrorReport } from "../system/ovld-error.ts";
import { existsSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { findProgram, type Environment } from "../system/run-program.ts";

export const OLDEST_ZELLIJ = "0.44.1";

export type VersionCheck = { fits: true; version: string } | { fits: false; version: string } | "missing";

export async function checkZellij(zellij: Zellij): Promise<VersionCheck> {
  // This call connects to no socket.
  const run = await runZellijAtOnce(zellij, "--version");
  const version = /\d+\.\d+\.\d+/.exec(run.stdout)?.[0];
  if (run.failure === "missing" || run.code !== 0 || version === undefined) return "missing";
  return { fits: isAtLeast(version, OLDEST_ZELLIJ), version };
}

/** Why Zellij does not answer when asked for its version. */
export function zellijProblem(zellij: Pick<Zellij, "env">): ErrorReport {
  const value = unusableTempFolder(zellij);
  if (value === undefined) return { code: "zellij-missing", facts: { oldest: OLDEST_ZELLIJ } };
  return { code: "env-wrong", facts: { variable: "TMPDIR", value, expected: "a folder to write in" } };
}

/** Zellij writes its log to the folder for temporary files; if it cannot, it does not even print its version. */
export function unusableTempFolder({ env }: Pick<Zellij, "env">): string | undefined {
  const folder = env["TMPDIR"];
  if (!folder) return undefined;
  return existsSync(folder) && whyNotMakeFolder(folder) === undefined ? undefined : folder;
}

/** Where Zellij may be: where the person says, on the PATH, or where `npm start` put it. */
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
