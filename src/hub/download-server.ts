/**
 * Downloads the released nats-server and checks it against the list of checksums that is published with it.
 *
 * curl does the download: it honours the proxy variables and the system's certificates, which Node's own fetch did
 * not before Node 24.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Environment } from "../config/environment.ts";
import { runProgram } from "../system/run-program.ts";
import { SERVER_VERSION } from "./find-server.ts";

/** A mirror with the same files can replace the release page. */
const RELEASES = "https://github.com/nats-io/nats-server/releases/download";
const SYSTEMS: Record<string, string> = {
  "linux-x64": "linux-amd64",
  "linux-arm64": "linux-arm64",
  "darwin-x64": "darwin-amd64",
  "darwin-arm64": "darwin-arm64",
};

const CONNECT_S = 5;
const SUMS_S = 10;
const ARCHIVE_S = 600;
const STALLED = ["--speed-limit", "20000", "--speed-time", "10"];
const UNPACK_MS = 60_000;

/** Why the release could not be had; another way may still work. */
export class NotDownloaded extends Error {}

/** Puts the program into the folder, under its own name. */
export async function downloadServer(
  env: Environment,
  folder: string,
  stop: AbortSignal | undefined,
): Promise<void> {
  const system = SYSTEMS[`${process.platform}-${process.arch}`];
  if (system === undefined) {
    throw new NotDownloaded(`there is no release for ${process.platform} on ${process.arch}`);
  }
  const name = `nats-server-v${SERVER_VERSION}-${system}`;
  const page = `${env["OVLD_NATS_RELEASES"] || RELEASES}/v${SERVER_VERSION}`;
  const [sums, archive] = [join(folder, "sums"), join(folder, "archive")];
  const fetchFile = async (url: string, file: string, limits: string[]): Promise<void> => {
    // A redirect must not lead from an encrypted page to an unencrypted one.
    const protocols = url.startsWith("https:") ? "=https" : "=http,https";
    const flags = ["--fail", "--location", "--silent", "--show-error", "--proto", protocols];
    const args = [...flags, "--connect-timeout", String(CONNECT_S), ...limits, "--output", file, url];
    await run(env, "curl", args, (ARCHIVE_S + CONNECT_S) * 1_000, stop);
  };
  // The list is small and comes first: it shows whether the page can be reached at all.
  await fetchFile(`${page}/SHA256SUMS`, sums, ["--max-time", String(SUMS_S)]);
  await fetchFile(`${page}/${name}.tar.gz`, archive, [...STALLED, "--max-time", String(ARCHIVE_S)]);
  requireSum(readFileSync(sums, "utf8"), `${name}.tar.gz`, archive);
  const member = `${name}/nats-server`;
  await run(env, "tar", ["-xzf", archive, "-C", folder, "--strip-components=1", member], UNPACK_MS, stop);
}

function requireSum(sums: string, name: string, archive: string): void {
  const line = sums.split("\n").find((each) => each.trim().endsWith(` ${name}`));
  const wanted = /^[0-9a-f]{64}\b/i.exec(line?.trim() ?? "")?.[0].toLowerCase();
  const found = createHash("sha256").update(readFileSync(archive)).digest("hex");
  if (wanted !== found) throw new NotDownloaded("its checksum is wrong");
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
