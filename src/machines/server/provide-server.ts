/**
 * Finds a nats-server, or puts one into the user's cache folder, once per machine: the released program if it is
 * available, otherwise one that `go install` builds.
 */
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Environment, findProgram, runProgram } from "../../system/run-program.ts";
import { moveFile } from "../../system/durable-files.ts";
import { withLock } from "../../system/lock-file.ts";
import { OLDEST_SERVER } from "../carrier/server-needs.ts";
import { OvldError } from "../../system/ovld-error.ts";
import { chooseArchive, downloadServer, NotDownloaded } from "./download-server.ts";
import {
  cachedServer,
  findOldServer,
  findServer,
  SERVER_SUMS,
  SERVER_VERSION,
  serverCache,
  versionOf,
  type Server,
} from "./find-server.ts";

const MODULE = "github.com/nats-io/nats-server/v2";

/** What is being done, for a person who waits. */
export type ProvideStep =
  | { step: "downloading" | "building"; version: string; seconds: number }
  | { step: "not-downloaded"; reason: string };

export interface ProvideOptions {
  onStep: (step: ProvideStep) => void;
  stop: AbortSignal;
  /** Tests have a release of their own. */
  sums?: Readonly<Record<string, string>>;
}

export async function provideServer(env: Environment, options: ProvideOptions): Promise<Server> {
  const found = await findServer(env);
  if (found) return found;
  const cache = serverCache(env);
  mkdirSync(cache, { recursive: true });
  return withLock(join(cache, "providing"), options.stop, async () => {
    // Another process may have put one there in the meantime.
    const meanwhile = await findServer(env);
    if (meanwhile) return meanwhile;
    const bin = join(cache, `${SERVER_VERSION}-new`, "bin");
    rmSync(join(bin, ".."), { recursive: true, force: true });
    mkdirSync(bin, { recursive: true });
    try {
      await make(env, bin, options);
      rmSync(join(cache, SERVER_VERSION), { recursive: true, force: true });
      // In one step, so that a half-installed one is never found.
      moveFile(join(bin, ".."), join(cache, SERVER_VERSION));
      return { program: cachedServer(env), version: SERVER_VERSION };
    } finally {
      rmSync(join(bin, ".."), { recursive: true, force: true });
    }
  });
}

async function make(env: Environment, bin: string, options: ProvideOptions): Promise<void> {
  const { onStep, stop, sums = SERVER_SUMS } = options;
  let reason: string;
  try {
    const archive = chooseArchive(sums);
    await telling("downloading", options, () => downloadServer(env, bin, archive, stop));
    if ((await versionOf(env, join(bin, "nats-server"))) === SERVER_VERSION) return;
    reason = "it does not run on this machine";
  } catch (error) {
    if (!(error instanceof NotDownloaded)) throw error;
    reason = error.message;
  }
  onStep({ step: "not-downloaded", reason });
  await telling("building", options, () => build(env, bin, reason, stop));
}

async function build(env: Environment, bin: string, reason: string, stop: AbortSignal): Promise<void> {
  const go = findProgram("go", env["PATH"]);
  if (go === undefined) throw await notProvided(env, reason);
  const args = ["install", `${MODULE}@v${SERVER_VERSION}`];
  const run = await runProgram(go, args, {
    env: { ...env, GOBIN: bin },
    deadlineMs: 20 * 60_000,
    stop,
  });
  stop.throwIfAborted();
  if (run.code === 0 && (await versionOf(env, join(bin, "nats-server"))) === SERVER_VERSION) return;
  throw await notProvided(env, run.stderr.trim().split("\n").at(-1) || "go install failed");
}

/** The person learns about a server that is too old, rather than that there is none. */
async function notProvided(env: Environment, reason: string): Promise<OvldError> {
  const old = await findOldServer(env);
  if (old !== undefined)
    return new OvldError({ code: "hub-server-old", facts: { ...old, oldest: OLDEST_SERVER } });
  return new OvldError({ code: "hub-no-server", facts: { oldest: OLDEST_SERVER, reason } });
}

async function telling(
  step: "downloading" | "building",
  { onStep }: ProvideOptions,
  action: () => Promise<void>,
): Promise<void> {
  const began = performance.now();
  const tell = (): void =>
    onStep({ step, version: SERVER_VERSION, seconds: Math.round((performance.now() - began) / 1_000) });
  tell();
  const repeat = setInterval(tell, 5_000);
  try {
    await action();
  } finally {
    clearInterval(repeat);
  }
}
