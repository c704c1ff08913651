// Downloads the released Zellij from its release page or a mirror, checks it against the sum that is pinned here, and
// puts it where a built one would be.
//
// curl does the download: it honours the proxy variables (HTTPS_PROXY, ALL_PROXY, NO_PROXY …) and the system's
// certificates, has limits for connecting and for stalling, and is on every Mac and nearly every Linux. Node's own
// fetch ignores proxies before Node 24.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, openSync, closeSync, readFileSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

/** A mirror with the same files, such as a company's, can replace the release page. It need not be trusted. */
const RELEASES = process.env.OVLD_ZELLIJ_RELEASES || "https://github.com/zellij-org/zellij/releases/download";
const TARGETS = {
  "linux-x64": "x86_64-unknown-linux-musl",
  "linux-arm64": "aarch64-unknown-linux-musl",
  "darwin-x64": "x86_64-apple-darwin",
  "darwin-arm64": "aarch64-apple-darwin",
};

const CONNECT_S = 5;
/** On CI, building is better than a long wait. */
const ARCHIVE_S = process.env.CI ? 30 : 600;
const STALLED = ["--speed-limit", "20000", "--speed-time", "10"];

/**
 * Puts the program of that version at `program`. `sums` has the SHA-256 of each target's archive. Throws a
 * `NotDownloaded` with the reason, or any other error if it was interrupted.
 */
export async function downloadZellij({ version, sums }, program, { texts, onProgress }) {
  const target = TARGETS[`${process.platform}-${process.arch}`];
  const sum = sums[target];
  if (sum === undefined) throw new NotDownloaded(texts.noRelease(process.platform, process.arch));
  const folder = dirname(program);
  mkdirSync(folder, { recursive: true });
  const archive = join(folder, "archive");
  const progress = setInterval(() => onProgress(sizeOf(archive)), 250);
  try {
    await fetchFile(`${RELEASES}/v${version}/zellij-${target}.tar.gz`, archive, texts);
  } finally {
    clearInterval(progress);
  }
  const found = createHash("sha256").update(readFileSync(archive)).digest("hex");
  if (found !== sum) throw new NotDownloaded(texts.wrongSum);
  await unpack(archive, program, texts);
  chmodSync(program, 0o755);
  rmSync(archive);
}

export class NotDownloaded extends Error {}

async function fetchFile(url, file, texts) {
  // A redirect must not lead from an encrypted page to an unencrypted one.
  const protocols = url.startsWith("https:") ? "=https" : "=http,https";
  const flags = ["--fail", "--location", "--silent", "--show-error", "--proto", protocols];
  const limits = ["--connect-timeout", String(CONNECT_S), ...STALLED, "--max-time", String(ARCHIVE_S)];
  const args = [...flags, ...limits, "--output", file, url];
  const { code, missing, words } = await run("curl", args, "ignore", texts);
  if (missing) throw new NotDownloaded(texts.noCurl);
  if (code !== 0) throw new NotDownloaded(words);
}

/**
 * Takes only the one program out of the archive, through a pipe: whatever names and paths the archive contains,
 * nothing is written anywhere else.
 */
async function unpack(archive, program, texts) {
  const output = openSync(program, "w");
  try {
    const args = ["-xzOf", archive, "zellij"];
    const { code, missing, words } = await run("tar", args, output, texts);
    if (missing || code !== 0) throw new NotDownloaded(texts.archiveBroken(words));
  } finally {
    closeSync(output);
  }
}

/** Ends the program when this process is asked to end, and then fails for good: nothing else is tried after that. */
async function run(program, args, output, texts) {
  const child = spawn(program, args, { stdio: ["ignore", output, "pipe"] });
  let interrupted = false;
  const stop = () => {
    interrupted = true;
    child.kill("SIGTERM");
  };
  process.once("SIGINT", stop).once("SIGTERM", stop);
  let words = "";
  child.stderr.setEncoding("utf8").on("data", (text) => (words = (words + text).slice(0, 500)));
  const [code, missing] = await new Promise((resolve) =>
    child.once("close", (status) => resolve([status, false])).once("error", () => resolve([null, true])),
  );
  process.off("SIGINT", stop).off("SIGTERM", stop);
  if (interrupted) throw new Error(texts.interrupted);
  // The first line has the reason; tar and gzip then complain about the rest.
  const [firstLine = ""] = words.trim().split("\n");
  return { code, missing, words: firstLine };
}

function sizeOf(file) {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
