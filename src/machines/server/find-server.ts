/** Finds a nats-server that is new enough: where the person says, on the PATH, or in ovld's own cache. */
import { homedir } from "node:os";
import { join } from "node:path";
import { type Environment, findProgram, runProgram } from "../../system/run-program.ts";
import { OvldError } from "../../system/ovld-error.ts";
import { OLDEST_SERVER } from "../carrier/subjects.ts";
import { isAtLeast } from "../../system/version.ts";

/** The version that is downloaded or built if there is none. */
export const SERVER_VERSION = "2.15.2";

/**
 * The SHA-256 of the archives of that version, by `linux-amd64` and so on. What is not here is not downloaded but built
 * by Go, which checks what it fetches. CONTRIBUTING.md says how to add them.
 */
export const SERVER_SUMS: Readonly<Record<string, string>> = {};

/** Names the program to use, which then is the only candidate. */
const CHOSEN = "OVLD_NATS_SERVER";

export interface Server {
  program: string;
  version: string;
}

/** Undefined if there is none; throws if the person named one that cannot be used. */
export async function findServer(env: Environment): Promise<Server | undefined> {
  const chosen = env[CHOSEN];
  if (chosen) return requireFit(env, chosen);
  for (const candidate of [findProgram("nats-server", env["PATH"]), cachedServer(env)]) {
    const program = candidate === undefined ? undefined : findProgram(candidate, undefined);
    const version = program === undefined ? undefined : await versionOf(env, program);
    if (program !== undefined && version !== undefined && isAtLeast(version, OLDEST_SERVER)) {
      return { program, version };
    }
  }
  return undefined;
}

/** The server on the PATH if it is too old: named in the error if no other can be had. */
export async function findOldServer(env: Environment): Promise<Server | undefined> {
  const program = findProgram("nats-server", env["PATH"]);
  const version = program === undefined ? undefined : await versionOf(env, program);
  return program === undefined || version === undefined ? undefined : { program, version };
}

export function serverCache(env: Environment): string {
  return join(env["XDG_CACHE_HOME"] || join(env["HOME"] || homedir(), ".cache"), "ovld", "nats-server");
}

export function cachedServer(env: Environment): string {
  return join(serverCache(env), SERVER_VERSION, "bin", "nats-server");
}

/** Undefined if the program does not run or is something else. */
export async function versionOf(env: Environment, program: string): Promise<string | undefined> {
  const { code, stdout } = await runProgram(program, ["--version"], { env, deadlineMs: 10_000 });
  return code === 0 ? /^nats-server: v(\d+\.\d+\.\d+)/.exec(stdout)?.[1] : undefined;
}

async function requireFit(env: Environment, program: string): Promise<Server> {
  const version = findProgram(program, undefined) && (await versionOf(env, program));
  if (!version) {
    throw new OvldError({
      code: "env-wrong",
      facts: { variable: CHOSEN, value: program, expected: "a nats-server" },
    });
  }
  if (!isAtLeast(version, OLDEST_SERVER)) {
    throw new OvldError({ code: "hub-server-old", facts: { program, version, oldest: OLDEST_SERVER } });
  }
  return { program, version };
}
