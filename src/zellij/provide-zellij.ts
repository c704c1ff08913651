/**
 * Provides Zellij where there is none, in the user's cache folder, once per machine: the released program, checked
 * against the sum that is pinned here, or else one built by cargo.
 *
 * curl does the download: it honours the proxy variables and the system's certificates. Node's own fetch ignores
 * proxies before Node 24, so it is used only where there is no curl.
 */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import type { DownloadProblem } from "../army/errors.ts";
import { moveFile } from "../system/durable-files.ts";
import { withLock } from "../system/lock-file.ts";
import { OvldError } from "../system/ovld-error.ts";
import { machineKind } from "../system/platform.ts";
import { type Environment, findProgram, runInGroup } from "../system/run-program.ts";
import { chooseZellij, zellijCache } from "./version.ts";

export const PROVIDED_VERSION = "0.45.1";
/** The name of each archive and its SHA-256. CONTRIBUTING.md says where they come from. */
const RELEASES: Releases = {
  "linux-x64": {
    target: "x86_64-unknown-linux-musl",
    sum: "40bcc2e03f5d5ae8e054e39f676081fe12ab70871506996ba595834c3718eefc",
  },
  "linux-arm64": {
    target: "aarch64-unknown-linux-musl",
    sum: "05f0802afadd53f8db9514e7cae53c9ae8432fed1b35b8294aa816ee3044a16b",
  },
  "darwin-x64": {
    target: "x86_64-apple-darwin",
    sum: "8e8bea22737d1652278c51fc5c26c7c22c9855d0ebb9634a84b8873823093114",
  },
  "darwin-arm64": {
    target: "aarch64-apple-darwin",
    sum: "c029ba4fe1927b79ad9f0cdd59155c4dff80777863c85857d4d09b88b56f9891",
  },
};
const RELEASE_PAGE = "https://github.com/zellij-org/zellij/releases/download";
/** A mirror with the same files, such as a company's, can replace the release page. It need not be trusted. */
const MIRROR = "OVLD_ZELLIJ_RELEASES";

type Releases = Readonly<Record<string, { target: string; sum: string }>>;

export type ProvideStep =
  | { step: "waiting"; pid: number }
  /** The total is undefined, or 0, until it is known. */
  | { step: "downloading"; bytes: number; total: number | undefined }
  | { step: "downloaded" }
  | ({ step: "not-downloaded" } & NotDownloaded)
  /** In crates. */
  | { step: "building"; done: number; total: number | undefined }
  | { step: "built" };

interface NotDownloaded {
  why: DownloadProblem;
  /** By the program that downloads. */
  said: string;
}

export interface ProvideOptions {
  /** What is being done, for a person who waits; progress is told again and again. */
  onStep: (step: ProvideStep) => void;
  stop: AbortSignal;
  releases?: Releases;
  machine?: string;
}

const PROGRESS_EVERY_MS = 250;

/** The absolute path of a Zellij that is new enough. */
export async function provideZellij(env: Environment, options: ProvideOptions): Promise<string> {
  const found = await findZellij(env);
  if (found !== undefined) return found;
  const cache = zellijCache(env);
  mkdirSync(cache, { recursive: true });
  const make = async (): Promise<string> => {
    // Another process may have put one there in the meantime.
    const meanwhile = await findZellij(env);
    if (meanwhile !== undefined) return meanwhile;
    const [fresh, target] = [join(cache, `${PROVIDED_VERSION}-new`), join(cache, PROVIDED_VERSION)];
    try {
      mkdirSync(join(fresh, "bin"), { recursive: true });
      const problem = await download(env, join(fresh, "bin"), options);
      if (problem !== undefined) await build(env, { cache, fresh, problem }, options);
      rmSync(target, { recursive: true, force: true });
      // In one step, so that a half-installed one is never found.
      moveFile(fresh, target);
      return join(target, "bin", "zellij");
    } finally {
      rmSync(fresh, { recursive: true, force: true });
    }
  };
  return withLock(join(cache, "providing"), options.stop, make, {
    onWaiting: (_path, { pid }) => options.onStep({ step: "waiting", pid }),
  });
}

async function findZellij(env: Environment, chosen?: string): Promise<string | undefined> {
  const { program, version } = await chooseZellij(env, chosen);
  return version !== "missing" && version.fits ? program : undefined;
}

async function download(
  env: Environment,
  bin: string,
  options: ProvideOptions,
): Promise<NotDownloaded | undefined> {
  const { onStep, stop, releases = RELEASES, machine = machineKind() } = options;
  const release = releases[machine];
  const fail = (why: DownloadProblem, said = ""): NotDownloaded => {
    onStep({ step: "not-downloaded", why, said });
    return { why, said };
  };
  if (release === undefined) return fail("no-release", machine);
  const { bytes, said } = await fetchFile(env, addressOf(env, release.target), join(bin, "archive"), options);
  stop.throwIfAborted();
  if (bytes === undefined) return fail("not-reached", said);
  if (createHash("sha256").update(bytes).digest("hex") !== release.sum) return fail("wrong-sum");
  const program = fileInTar(gunzipSync(bytes), "zellij");
  if (program === undefined) return fail("no-program");
  writeFileSync(join(bin, "zellij"), program, { mode: 0o755 });
  if ((await findZellij(env, join(bin, "zellij"))) === undefined) return fail("does-not-run");
  onStep({ step: "downloaded" });
  return undefined;
}

function addressOf(env: Environment, target: string): string {
  return `${env[MIRROR] || RELEASE_PAGE}/v${PROVIDED_VERSION}/zellij-${target}.tar.gz`;
}

/** On CI, building is better than a long wait. */
function longestDownload(env: Environment): number {
  return env["CI"] ? 30_000 : 600_000;
}

interface Fetched {
  /** Undefined if it did not arrive. */
  bytes?: Buffer;
  said: string;
}

async function fetchFile(
  env: Environment,
  url: string,
  file: string,
  options: ProvideOptions,
): Promise<Fetched> {
  const { onStep, stop } = options;
  onStep({ step: "downloading", bytes: 0, total: undefined });
  const curl = findProgram("curl", env["PATH"]);
  if (curl === undefined) return fetchByNode(url, AbortSignal.timeout(longestDownload(env)), options);
  // A redirect must not lead from an encrypted page to an unencrypted one.
  const protocols = url.startsWith("https:") ? "=https" : "=http,https";
  const flags = ["--fail", "--location", "--silent", "--show-error", "--proto", protocols];
  const limits = ["--connect-timeout", "5", "--speed-limit", "20000", "--speed-time", "10"];
  let heard = "";
  const tell = (): void => {
    const total = [...heard.matchAll(/^content-length: *(\d+)/gim)].at(-1)?.[1];
    const bytes = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    onStep({ step: "downloading", bytes, total: total === undefined ? undefined : Number(total) });
  };
  const progress = setInterval(tell, PROGRESS_EVERY_MS);
  const args = [...flags, ...limits, "--dump-header", "-", "--output", file, url];
  const deadlineMs = longestDownload(env);
  const onOutput = (words: Buffer): void => void (heard += words.toString());
  const { code } = await runInGroup(curl, args, { env, deadlineMs, stop, onOutput });
  clearInterval(progress);
  const said = /^curl: .*/m.exec(heard)?.[0] ?? `curl: ${deadlineMs / 1_000} s`;
  if (code !== 0) return { said };
  const bytes = readFileSync(file);
  rmSync(file);
  return { bytes, said };
}

async function fetchByNode(
  url: string,
  deadline: AbortSignal,
  { onStep, stop }: ProvideOptions,
): Promise<Fetched> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.any([stop, deadline]) });
    if (!answer.ok || answer.body === null) return { said: `${answer.status} ${answer.statusText}` };
    const total = Number(answer.headers.get("content-length")) || undefined;
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of answer.body) {
      chunks.push(chunk);
      onStep({ step: "downloading", bytes: (bytes += chunk.length), total });
    }
    return { bytes: Buffer.concat(chunks), said: "" };
  } catch (error) {
    const cause = error instanceof Error ? (error.cause ?? error) : error;
    return { said: cause instanceof Error ? cause.message : String(cause) };
  }
}

const TAR_BLOCK = 512;

/** Whatever names and paths the archive contains, nothing of it is written except this one file. */
function fileInTar(tar: Buffer, wanted: string): Buffer | undefined {
  for (let header = 0; header + TAR_BLOCK <= tar.length;) {
    const field = (from: number, to: number): string =>
      tar.toString("latin1", header + from, header + to).replace(/\0.*/s, "");
    const content = header + TAR_BLOCK;
    const size = Number.parseInt(field(124, 136), 8) || 0;
    if (field(0, 100) === wanted) return tar.subarray(content, content + size);
    header = content + Math.ceil(size / TAR_BLOCK) * TAR_BLOCK;
  }
  return undefined;
}

const LONGEST_BUILD_MS = 4 * 60 * 60_000;

/** Cargo keeps what it has compiled, so an interrupted build resumes where it stopped. */
async function build(
  env: Environment,
  { cache, fresh, problem }: { cache: string; fresh: string; problem: NotDownloaded },
  { onStep, stop, machine }: ProvideOptions,
): Promise<void> {
  const fail = (cargo: string): OvldError => {
    const facts = { version: PROVIDED_VERSION, ...problem, cargo, command: commandToInstall(env, machine) };
    return new OvldError({ code: "zellij-not-provided", facts });
  };
  const cargo = findProgram("cargo", env["PATH"]);
  if (cargo === undefined) throw fail("");
  const compiled = join(cache, `${PROVIDED_VERSION}-build`);
  const features = ["--no-default-features", "--features", "plugins_from_target,vendored_curl"];
  const args = ["install", "--locked", `zellij@${PROVIDED_VERSION}`, ...features, "--root", fresh];
  const faster = {
    CARGO_TARGET_DIR: compiled,
    CARGO_PROFILE_RELEASE_LTO: "off",
    CARGO_PROFILE_RELEASE_CODEGEN_UNITS: "16",
    CARGO_PROFILE_RELEASE_OPT_LEVEL: "2",
    CARGO_TERM_PROGRESS_WHEN: "always",
    CARGO_TERM_PROGRESS_WIDTH: "100",
  };
  onStep({ step: "building", done: 0, total: undefined });
  let tail = "";
  const { code } = await runInGroup(cargo, args, {
    env: { ...env, ...faster },
    deadlineMs: LONGEST_BUILD_MS,
    stop,
    onOutput(words) {
      const text = words.toString();
      tail = (tail + text).slice(-2_000);
      const [, done, total] = [...text.matchAll(/\] (\d+)\/(\d+)/g)].at(-1) ?? [];
      if (done !== undefined) onStep({ step: "building", done: Number(done), total: Number(total) });
    },
  });
  stop.throwIfAborted();
  if (code !== 0 || (await findZellij(env, join(fresh, "bin", "zellij"))) === undefined)
    throw fail(
      tail
        .trim()
        .split(/[\r\n]/)
        .slice(-5)
        .join("\n") || "cargo install",
    );
  rmSync(compiled, { recursive: true, force: true });
  onStep({ step: "built" });
}

const PACKAGERS = [
  ["brew", "brew install zellij"],
  ["pacman", "sudo pacman -S zellij"],
  ["apk", "sudo apk add zellij"],
] as const;

/** How the person gets one on this machine. */
function commandToInstall(env: Environment, machine = machineKind()): string {
  const [, command] = PACKAGERS.find(([program]) => findProgram(program, env["PATH"]) !== undefined) ?? [];
  if (command !== undefined) return command;
  const release = RELEASES[machine];
  if (release === undefined) return "cargo install --locked zellij";
  return `curl -fL ${addressOf({}, release.target)} | sudo tar -xzC /usr/local/bin zellij`;
}
