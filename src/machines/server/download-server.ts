/**
 * Downloads the released nats-server and checks it against the sum that is pinned here.
 *
 * curl does the download: it honours the proxy variables and the system's certificates, which Node's own fetch did
 * not before Node 24.
 */
import { createHash } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Environment, runProgram } from "../../system/run-program.ts";
import { SERVER_VERSION } from "./find-server.ts";

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
export class NotDownloaded extends Error {}

export interface Archive {
  name: string;
  sum: string;
}

/** The archive for this machine, if its sum is known. */
export function chooseArchive(sums: Readonly<Record<string, string>>): Archive {
  const system = SYSTEMS[`${process.platform}-${process.arch}`];
  if (system === undefined) {
    throw new NotDownloaded(`there is no release for ${process.platform} on ${process.arch}`);
  }
  const name = `nats-server-v${SERVER_VERSION}-${system}`;
  const sum = sums[system];
  if (sum === undefined) throw new NotDownloaded(`ovld does not know the checksum of ${name}`);
  return { name, sum };
}

/** Puts the program into the folder, under its own name. */
export async function downloadServer(
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
