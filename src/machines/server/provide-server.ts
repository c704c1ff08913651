/**
 * Finds a nats-server, or puts one into the user's cache folder, once per machine: the released program if it is
 * available, otherwise one that `go install` builds.
 */
import { mkdirSync, rmSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Environment, findProgram, runProgram } from "../../system/run-program.ts";
import { moveFile } from "../../system/durable-files.ts";
import { withLock } from "../../system/lock-file.ts";
import { OLDEST_SERVER } from "../carrier/subjects.ts";
import { OvldError } from "../../system/ovld-error.ts";
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
import { createHash } from "node:crypto";

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
  const built = await runProgram(go, args, {
    env: { ...env, GOBIN: bin },
    deadlineMs: 20 * 60_000,
    stop,
  });
  stop.throwIfAborted();
  if (built.code === 0 && (await versionOf(env, join(bin, "nats-server"))) === SERVER_VERSION) return;
  throw await notProvided(env, built.stderr.trim().split("\n").at(-1) || "go install failed");
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

/** A mirror with the same files can replace the release page. It need not be trusted. */
const RELEASES = "https://github.com/nats-io/nats-server/releases/download";
const SYSTEMS: Record<string, string> = {
  "linux-x64": "linux-amd64",
  "linux-arm64": "linux-arm64",
  "darwin-x64": "darwin-amd64",
  "darwin-arm64": "darwin-arm64",
};

const CONNECT_S = 5;
const ARCHIVE_S = 600;
const STALLED = ["--speed-limit", "20000", "--speed-time", "10"];
const UNPACK_MS = 60_000;

/** Why the release could not be had; another way may still work. */
class NotDownloaded extends Error {}

interface Archive {
  name: string;
  sum: string;
}

/** The archive for this machine, if its sum is known. */
function chooseArchive(sums: Readonly<Record<string, string>>): Archive {
  const system = SYSTEMS[`${process.platform}-${process.arch}`];
  if (system === undefined) {
    throw new NotDownloaded(`there is no release for ${process.platform} on ${process.arch}`);
  }
  const name = `nats-server-v${SERVER_VERSION}-${system}`;
  const sum = sums[system];
  if (sum === undefined) throw new NotDownloaded(`ovld does not know the checksum of ${name}`);
  return { name, sum };
}

/**
 * Puts the program into the folder, under its own name. curl does the download: it honours the proxy variables and the
 * system's certificates, which Node's own fetch did not before Node 24.
 */
async function downloadServer(
  env: Environment,
  folder: string,
  { name, sum }: Archive,
  stop: AbortSignal | undefined,
): Promise<void> {
  const url = `${env["OVLD_NATS_RELEASES"] || RELEASES}/v${SERVER_VERSION}/${name}.tar.gz`;
  const archive = join(folder, "archive");
  // A redirect must not lead from an encrypted page to an unencrypted one.
  const protocols = url.startsWith("https:") ? "=https" : "=http,https";
  const flags = ["--fail", "--location", "--silent", "--show-error", "--proto", protocols];
  const limits = ["--connect-timeout", String(CONNECT_S), ...STALLED, "--max-time", String(ARCHIVE_S)];
  const args = [...flags, ...limits, "--output", archive, url];
  await run(env, "curl", args, (ARCHIVE_S + CONNECT_S) * 1_000, stop);
  const found = createHash("sha256").update(readFileSync(archive)).digest("hex");
  if (found !== sum) throw new NotDownloaded("its checksum is wrong");
  const member = `${name}/nats-server`;
  await run(env, "tar", ["-xzf", archive, "-C", folder, "--strip-components=1", member], UNPACK_MS, stop);
  rmSync(archive);
}

async function run(
  env: Environment,
  program: string,
  args: string[],
  deadlineMs: number,
  stop: AbortSignal | undefined,
): Promise<void> {
  const { code, failure, stderr } = await runProgram(program, args, { env, deadlineMs, stop });
  stop?.throwIfAborted();
  if (failure === "missing") throw new NotDownloaded(`${program} was not found`);
  const [firstLine = ""] = stderr.trim().split("\n");
  if (code !== 0) throw new NotDownloaded(firstLine || `${program} failed`);
}
