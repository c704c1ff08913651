/**
 * The nats-server that a hub runs: the one that the person names, one on the PATH, or one in ovld's own cache, where
 * `go install` builds it if there is no other, once per machine. Go checks what it fetches.
 */
import { mkdirSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { type Environment, findProgram, runProgram } from "../../system/run-program.ts";
import { moveFile } from "../../system/durable-files.ts";
import { withLock } from "../../system/lock-file.ts";
import { OvldError } from "../../system/ovld-error.ts";
import { isAtLeast } from "../../system/version.ts";
import { OLDEST_SERVER } from "../carrier/subjects.ts";

/** The version that is built if there is none. */
const SERVER_VERSION = "2.15.2";
const MODULE = "github.com/nats-io/nats-server/v2";
const NAME = "nats-server";

/** Names the program to use, which then is the only candidate. */
const CHOSEN = "OVLD_NATS_SERVER";

export interface Server {
  program: string;
  version: string;
}

/** Undefined if there is none; throws if the person named one that cannot be used. */
export async function findNatsServer(env: Environment): Promise<Server | undefined> {
  const chosen = env[CHOSEN];
  if (chosen) {
    const server = await examine(env, chosen);
    const facts = { variable: CHOSEN, value: chosen, expected: "a nats-server" } as const;
    if (server === undefined) throw new OvldError({ code: "env-wrong", facts });
    if (!isNew(server)) throw tooOld(server);
    return server;
  }
  for (const name of [NAME, join(cacheFolder(env), SERVER_VERSION, "bin", NAME)]) {
    const server = await examine(env, name);
    if (server !== undefined && isNew(server)) return server;
  }
  return undefined;
}

export interface BuildOptions {
  /** Called now and then while one is built, for a person who waits. */
  onStep: (step: { version: string; seconds: number }) => void;
  stop: AbortSignal;
}

export async function provideServer(env: Environment, options: BuildOptions): Promise<Server> {
  const found = await findNatsServer(env);
  if (found) return found;
  const cache = cacheFolder(env);
  mkdirSync(cache, { recursive: true });
  return withLock(join(cache, "providing"), options.stop, async () => {
    // Another process may have put one there in the meantime.
    const meanwhile = await findNatsServer(env);
    if (meanwhile) return meanwhile;
    const [fresh, target] = [join(cache, `${SERVER_VERSION}-new`), join(cache, SERVER_VERSION)];
    rmSync(fresh, { recursive: true, force: true });
    try {
      await build(env, join(fresh, "bin"), options);
      rmSync(target, { recursive: true, force: true });
      // In one step, so that a half-installed one is never found.
      moveFile(fresh, target);
      return { program: join(target, "bin", NAME), version: SERVER_VERSION };
    } finally {
      rmSync(fresh, { recursive: true, force: true });
    }
  });
}

async function build(env: Environment, bin: string, { onStep, stop }: BuildOptions): Promise<void> {
  const go = findProgram("go", env["PATH"]);
  if (go === undefined) throw await notProvided(env, "Go was not found");
  mkdirSync(bin, { recursive: true });
  const began = performance.now();
  const report = (): void =>
    onStep({ version: SERVER_VERSION, seconds: Math.round((performance.now() - began) / 1_000) });
  report();
  const repeat = setInterval(report, 5_000);
  const args = ["install", `${MODULE}@v${SERVER_VERSION}`];
  const made = await runProgram(go, args, { env: { ...env, GOBIN: bin }, deadlineMs: 20 * 60_000, stop });
  clearInterval(repeat);
  stop.throwIfAborted();
  if (made.code === 0 && (await examine(env, join(bin, NAME)))?.version === SERVER_VERSION) return;
  throw await notProvided(env, made.stderr.trim().split("\n").at(-1) || "go install failed");
}

/** The person learns about a server that is too old, rather than that there is none. */
async function notProvided(env: Environment, reason: string): Promise<OvldError> {
  const old = await examine(env, NAME);
  return old === undefined
    ? new OvldError({ code: "hub-no-server", facts: { oldest: OLDEST_SERVER, reason } })
    : tooOld(old);
}

/** Undefined if there is no such program, or if it is something else. */
async function examine(env: Environment, name: string): Promise<Server | undefined> {
  const program = findProgram(name, env["PATH"]);
  if (program === undefined) return undefined;
  const { code, stdout } = await runProgram(program, ["--version"], { env, deadlineMs: 10_000 });
  const version = code === 0 ? /^nats-server: v(\d+\.\d+\.\d+)/.exec(stdout)?.[1] : undefined;
  return version === undefined ? undefined : { program, version };
}

function isNew({ version }: Server): boolean {
  return isAtLeast(version, OLDEST_SERVER);
}

function tooOld(server: Server): OvldError {
  return new OvldError({ code: "hub-server-old", facts: { ...server, oldest: OLDEST_SERVER } });
}

function cacheFolder(env: Environment): string {
  return join(env["XDG_CACHE_HOME"] || join(env["HOME"] || homedir(), ".cache"), "ovld", NAME);
}
