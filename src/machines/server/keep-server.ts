/**
 * Supervises the hub's server: starts it, starts it again when it has ended, and restarts it when it no longer stores
 * anything.
 *
 * When the disk is full, the server answers with silence, and goes on doing so for a stream after space has been
 * freed; only a restart helps. So this process stores a message of its own now and then, and it reads the server's
 * log: once the disk has been full and has room again, the server is restarted. If this process is killed, the server
 * goes on, and the next one takes it over. If the hub's files are gone, both end.
 */
import { closeSync, existsSync, fstatSync, openSync, readSync } from "node:fs";
import { type Environment, startInBackground } from "../../system/run-program.ts";
import { withLock } from "../../system/lock-file.ts";
import { pause } from "../../system/async.ts";
import { identifyProcess, isProcessAlive, type ProcessIdentity } from "../../system/process.ts";
import { ask, openLink, type Link } from "../carrier/link.ts";
import type { Server } from "./find-server.ts";
import { freeBytes, requireHub, writeConfig, type HubFiles } from "./hub-files.ts";
import { localAddress } from "./hub-state.ts";
import {
  reportKeeping,
  type RestartReason,
  endProcess,
  findServerProcess,
  serverArgs,
} from "./server-process.ts";
import { keepInvitations } from "./settle-invitations.ts";

export interface KeepOptions {
  files: HubFiles;
  env: Environment;
  server: Server;
  stop: AbortSignal;
  timings?: KeepTimings;
}

interface KeepTimings {
  probeEveryMs: number;
  /** How long the server may be silent before it is restarted. */
  silentMs: number;
}

const TIMINGS: KeepTimings = { probeEveryMs: 5_000, silentMs: 15_000 };
const PROBE_MS = 2_000;
/** A server that ends at once is not started again at once. */
const SHORTEST_LIFE_MS = 2_000;
const MOST_WAIT_MS = 10_000;
/** With less than this the server cannot be expected to store anything. */
export const LEAST_FREE = 16 * 1024 ** 2;
/** With less than this a message may not have been written. */
const FULL = 1024 ** 2;
const PROBE = { name: "PROBE", subjects: ["probe"], storage: "file", max_msgs: 1 };

export async function keepServer(options: KeepOptions): Promise<void> {
  const { files, stop } = options;
  await withLock(files.keeperLock, stop, async () => {
    const report = reportKeeping(files, options.server);
    const state = requireHub(files);
    const link = openLink({
      servers: [localAddress(state.listen)],
      ca: state.tls?.ca,
      seed: state.keeper.seed,
      name: "ovld hub keeper",
    });
    const invitations = keepInvitations(files, stop);
    let wait = 0;
    let running: ProcessIdentity | undefined;
    try {
      while (isWanted(options)) {
        const began = performance.now();
        running = findServerProcess(files) ?? startServer(options);
        report.started(running);
        const why = await watchServer(running, link, { ...options, report, invitations });
        if (why === undefined) break;
        if (running !== undefined) await endProcess(running);
        report.ended(why);
        wait = performance.now() - began < SHORTEST_LIFE_MS ? Math.min(wait * 2 + 250, MOST_WAIT_MS) : 0;
        await pause(wait, stop);
      }
    } finally {
      // An open link would keep this process alive.
      await link.close();
      await invitations.close();
      if (running !== undefined) await endProcess(running);
      report.close();
    }
  });
}

/** Not after this process was asked to end, nor after the person has removed the hub's folder. */
function isWanted({ files, stop }: KeepOptions): boolean {
  return !stop.aborted && existsSync(files.state);
}

function startServer({ files, env, server }: KeepOptions): ProcessIdentity | undefined {
  writeConfig(files, requireHub(files));
  const { pid } = startInBackground(server.program, serverArgs(files), { env, output: files.keeperLog });
  return pid === undefined ? undefined : identifyProcess(pid);
}

interface Watching extends KeepOptions {
  report: ReturnType<typeof reportKeeping>;
  invitations: ReturnType<typeof keepInvitations>;
}

/** Why the server has to be started again; undefined if it is not wanted any more. */
async function watchServer(
  server: ProcessIdentity | undefined,
  link: Link,
  watching: Watching,
): Promise<RestartReason | undefined> {
  const { files, stop, report, invitations, timings = TIMINGS } = watching;
  const full = watchForFullDisk(files);
  let answered = performance.now();
  let nextProbe = 0;
  while (isWanted(watching)) {
    if (server === undefined || !isProcessAlive(server)) return "ended";
    if (performance.now() >= nextProbe) {
      const hasRoom = freeBytes(files) > LEAST_FREE;
      const isWell = await storesProbe(link);
      if (isWell) answered = performance.now();
      const wasFull = full.look();
      report.probed(isWell);
      // Without room a restart would not help.
      if (hasRoom && wasFull) return "disk-was-full";
      if (hasRoom && performance.now() - answered > timings.silentMs) return "silent";
      nextProbe = performance.now() + timings.probeEveryMs;
    }
    invitations.look();
    await pause(100, stop);
  }
  return undefined;
}

async function storesProbe(link: Link): Promise<boolean> {
  if ((await link.whenUp(PROBE_MS)) === undefined) return false;
  const store = () => ask(link, "probe", { data: "probe", withinMs: PROBE_MS });
  let got = await store();
  if ("silence" in got && got.silence === "no-responders") {
    await ask(link, "$JS.API.STREAM.CREATE.PROBE", { data: JSON.stringify(PROBE), withinMs: PROBE_MS });
    got = await store();
  }
  return "message" in got && got.message.string().includes('"seq":');
}

/** Looks at the disk, and at what the server has written to its log since the last look. */
function watchForFullDisk(files: HubFiles): { look: () => boolean } {
  let offset = logSize(files.log);
  let wasFull = false;
  return {
    look() {
      const size = logSize(files.log);
      // The server has begun a new file.
      if (size < offset) offset = 0;
      // The log is on the same disk, so what it says about that may be cut off or missing.
      wasFull ||= freeBytes(files) < FULL;
      if (size > offset) wasFull ||= readPart(files.log, offset, size).includes("no space left");
      offset = size;
      return wasFull;
    },
  };
}

function logSize(path: string): number {
  return withFile(path, (file) => fstatSync(file).size) ?? 0;
}

const MOST_READ = 1024 * 1024;

function readPart(path: string, from: number, to: number): string {
  const bytes = Buffer.alloc(Math.min(to - from, MOST_READ));
  withFile(path, (file) => readSync(file, bytes, 0, bytes.length, to - bytes.length));
  return bytes.toString("latin1");
}

function withFile<Result>(path: string, action: (file: number) => Result): Result | undefined {
  try {
    const file = openSync(path, "r");
    try {
      return action(file);
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}
