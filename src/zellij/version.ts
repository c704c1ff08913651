/**
 * Finds Zellij, and says which one is new enough: 0.44.1 is the first that addresses a pane by its id and refuses a
 * socket path that is too long.
 */
import { existsSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { ErrorReport } from "../system/ovld-error.ts";
import { whyNotMakeFolder } from "../system/paths.ts";
import { findProgram, type Environment } from "../system/run-program.ts";
import { isAtLeast } from "../system/version.ts";
import { foreignSockets, roomForSessionName } from "./socket.ts";
import { type Zellij, runZellijAtOnce } from "./zellij.ts";

export const OLDEST_ZELLIJ = "0.44.1";

export type VersionCheck = { fits: boolean; version: string } | "missing";

type ChosenZellij = Pick<Zellij, "program"> & { version: VersionCheck };

/** The first one that is new enough, or else the first one, so that its problem can be reported. */
export async function chooseZellij(env: Environment, chosen: string | undefined): Promise<ChosenZellij> {
  let first: ChosenZellij | undefined;
  for (const program of zellijCandidates(env, chosen)) {
    const version = await checkVersion({ program, env });
    if (version !== "missing" && version.fits) return { program, version };
    first ??= { program, version };
  }
  return first ?? { program: "zellij", version: "missing" };
}

async function checkVersion(zellij: Zellij): Promise<VersionCheck> {
  // This call connects to no socket.
  const run = await runZellijAtOnce(zellij, "--version");
  const version = /\d+\.\d+\.\d+/.exec(run.stdout)?.[0];
  if (run.failure === "missing" || run.code !== 0 || version === undefined) return "missing";
  return { fits: isAtLeast(version, OLDEST_ZELLIJ), version };
}

/** What prevents Zellij from running a session with this name. */
export function zellijProblems(army: {
  session: string;
  zellij: Zellij;
  version: VersionCheck;
}): ErrorReport[] {
  const { session, zellij, version } = army;
  const problems: ErrorReport[] = [];
  if (version === "missing") problems.push(zellijProblem(zellij));
  else if (!version.fits) {
    const facts = { program: zellij.program, version: version.version, oldest: OLDEST_ZELLIJ };
    problems.push({ code: "zellij-too-old", facts });
  }
  const foreign = foreignSockets(zellij);
  if (foreign) problems.push(foreign);
  const limit = roomForSessionName(zellij);
  if (session.length > limit)
    problems.push({ code: "session-name-too-long", facts: { name: session, limit } });
  return problems;
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

/** Where Zellij may be: where the person says, on the PATH, or where ovld put it (provide-zellij.ts). */
export function zellijCandidates(env: Environment, chosen?: string): string[] {
  // If the person names a program, only that one counts, even if it is missing.
  if (chosen !== undefined) return [chosen];
  return [findProgram("zellij", env["PATH"]), cachedZellij(env)].filter((program) => program !== undefined);
}

export function zellijCache(env: Environment): string {
  return join(env["XDG_CACHE_HOME"] || join(env["HOME"] || homedir(), ".cache"), "ovld", "zellij");
}

/** The newest one in the user's cache folder. */
function cachedZellij(env: Environment): string | undefined {
  const folder = zellijCache(env);
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
