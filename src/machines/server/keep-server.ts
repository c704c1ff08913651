/**
 * The processes of a hub: its server, and the one that supervises it. That one starts the server, starts it again when it
 * has ended, and restarts it when it no longer stores anything.
 *
 * When the disk is full, the server answers with silence, and goes on doing so for a stream after space has been
 * freed; only a restart helps. So this process stores a message of its own now and then, and it reads the server's
 * log: once the disk has been full and has room again, the server is restarted. If this process is killed, the server
 * goes on, and the next one takes it over. If the hub's files are gone, both end.
 */
import { existsSync, rmSync, statSync } from "node:fs";
import { basename } from "node:path";
import * as z from "zod/mini";
import { pause, waitUntil } from "../../system/async.ts";
import { withLock } from "../../system/lock-file.ts";
import { OvldError } from "../../system/ovld-error.ts";
import {
  findProcesses,
  hasWords,
  identifyOurselves,
  identifyProcess,
  inspectProcess,
  isProcessAlive,
  isProcessIdentity,
  type ProcessIdentity,
} from "../../system/process.ts";
import { readRecord, writeRecord } from "../../system/record.ts";
import { type Environment, startInBackground } from "../../system/run-program.ts";
import { askHub, openLink, type Link } from "../carrier/link.ts";
import { freeBytes, readLog, requireHub, writeConfig, writeHub, type HubFiles } from "./hub-files.ts";
import {
  armyIn,
  localAddress,
  openInvitations,
  settleMachines,
  type HubState,
  type PublicKeys,
} from "./hub-state.ts";
import { readKeys } from "./join-hub.ts";
import type { Server } from "./nats-server.ts";
import { tryTo } from "../../system/file-error.ts";

/** How this machine itself connects to its hub. */
export function linkToHub({ listen, tls }: HubState, seed = "", name = "ovld hub"): Link {
  return openLink({ servers: [localAddress(listen)], ca: tls.ca, seed, name });
}

/** Known by its command line: a file with its pid may be missing or out of date. */
export function findServerProcess(files: HubFiles): ProcessIdentity | undefined {
  const args = serverArgs(files);
  const pid = findProcesses(
    ([program = "", ...words]) => /nats/.test(basename(program)) && hasWords(words, args),
  ).at(-1);
  return pid === undefined ? undefined : identifyProcess(pid);
}

function serverArgs(files: HubFiles): string[] {
  return ["-c", files.config];
}

export function signalServer(server: ProcessIdentity, signal: NodeJS.Signals): void {
  // It may end in the meantime.
  if (isProcessAlive(server)) tryTo(() => process.kill(Number.parseInt(server, 10), signal));
}

/** Asks it to end, and kills it if it does not. A process that is stuck in the kernel is still there afterwards. */
async function endProcess(server: ProcessIdentity, stop?: AbortSignal): Promise<void> {
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    signalServer(server, signal);
    await waitUntil(() => !isProcessAlive(server), { everyMs: 20, withinMs: 5_000, stop });
    stop?.throwIfAborted();
  }
}

const keeperReport = z.object({
  keeper: z.string(),
  since: z.iso.datetime(),
  program: z.string(),
  version: z.string(),
  server: z.nullable(z.string()),
  restarts: z.int(),
  lastRestart: z.nullable(
    z.object({ at: z.iso.datetime(), why: z.enum(["ended", "silent", "disk-was-full"]) }),
  ),
  /** When the server last stored a message of the keeper's. */
  stored: z.nullable(z.iso.datetime()),
  /** Whether it did so the last time it was asked. */
  isWell: z.boolean(),
});

type KeeperReport = z.infer<typeof keeperReport>;
type RestartReason = NonNullable<KeeperReport["lastRestart"]>["why"];

const now = (): string => new Date().toISOString();

/** For `ovld hub status` and `ovld hub doctor`. */
function reportKeeping(files: HubFiles, { program, version }: Server) {
  let report: KeeperReport = {
    keeper: identifyOurselves(),
    since: now(),
    program,
    version,
    server: null,
    restarts: 0,
    lastRestart: null,
    stored: null,
    isWell: false,
  };
  const write = (more: Partial<KeeperReport>): void => {
    report = { ...report, ...more };
    // On a full disk the server is watched all the same.
    tryTo(() => writeRecord(files.keeper, report, { lasting: false }));
  };
  return {
    started: (server: ProcessIdentity | undefined) => write({ server: server ?? null }),
    probed: (isWell: boolean) => write({ isWell, ...(isWell && { stored: now() }) }),
    ended: (why: RestartReason) =>
      write({ restarts: report.restarts + 1, lastRestart: { at: now(), why }, isWell: false }),
    close: () => rmSync(files.keeper, { force: true }),
  };
}

/**
 * Undefined if no such process is running. `ovld hub stop` ends the process in it, so its command line has to agree:
 * the report may be an old one, from a backup or another container.
 */
export function readKeeping(files: HubFiles): KeeperReport | undefined {
  const report = readRecord(files.keeper, keeperReport);
  if (report === undefined || report.keeper === identifyOurselves()) return report;
  const words = isProcessIdentity(report.keeper) ? inspectProcess(report.keeper)?.words : undefined;
  return words !== undefined && hasWords(words, ["hub", "keep"]) ? report : undefined;
}

/** Ends the process that supervises the server, and the server. False if nothing was running. Mail stays stored. */
export async function stopHub(files: HubFiles, stop?: AbortSignal): Promise<boolean> {
  const ended: ProcessIdentity[] = [];
  // The one that would start the other again comes first.
  for (const find of [() => readKeeping(files)?.keeper, () => findServerProcess(files)]) {
    const found = find();
    if (found === undefined || !isProcessIdentity(found) || !isProcessAlive(found)) continue;
    await endProcess(found, stop);
    ended.push(found);
  }
  const left = ended.find((each) => isProcessAlive(each));
  if (left === undefined) return ended.length > 0;
  throw new OvldError({ code: "hub-not-stopped", facts: { pid: Number.parseInt(left, 10) } });
}

export interface KeepOptions {
  files: HubFiles;
  env: Environment;
  server: Server;
  stop: AbortSignal;
  timings?: {
    probeEveryMs: number;
    /** How long the server may be silent before it is restarted. */
    silentMs: number;
  };
}

const TIMINGS = { probeEveryMs: 5_000, silentMs: 15_000 };
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
    await using link = linkToHub(state, state.keeper.seed, "ovld hub keeper");
    const ending = new AbortController();
    const invitations = settleInvitations(files, AbortSignal.any([stop, ending.signal]));
    let wait = 0;
    let running: ProcessIdentity | undefined;
    try {
      while (isWanted(options)) {
        const began = performance.now();
        running = findServerProcess(files) ?? startServer(options);
        report.started(running);
        const why = await watchServer(running, link, report.probed, options);
        if (why === undefined) break;
        if (running !== undefined) await endProcess(running);
        report.ended(why);
        wait = performance.now() - began < SHORTEST_LIFE_MS ? Math.min(wait * 2 + 250, MOST_WAIT_MS) : 0;
        await pause(wait, stop);
      }
    } finally {
      ending.abort();
      await invitations;
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

/** Why the server has to be started again; undefined if it is not wanted any more. */
async function watchServer(
  server: ProcessIdentity | undefined,
  link: Link,
  onProbe: (isWell: boolean) => void,
  options: KeepOptions,
): Promise<RestartReason | undefined> {
  const { files, stop, timings = TIMINGS } = options;
  let logged = readLog(files, 0).end;
  let wasFull = false;
  let answered = performance.now();
  let nextProbe = 0;
  while (isWanted(options)) {
    if (server === undefined || !isProcessAlive(server)) return "ended";
    if (performance.now() >= nextProbe) {
      const hasRoom = freeBytes(files) > LEAST_FREE;
      const isWell = await storesProbe(link);
      if (isWell) answered = performance.now();
      onProbe(isWell);
      const { text, end } = readLog(files, logged);
      logged = end;
      // The log is on the same disk, so what it says about that may be cut off or missing.
      wasFull ||= freeBytes(files) < FULL || text.includes("no space left");
      // Without room a restart would not help.
      if (hasRoom && wasFull) return "disk-was-full";
      if (hasRoom && performance.now() - answered > timings.silentMs) return "silent";
      nextProbe = performance.now() + timings.probeEveryMs;
    }
    await pause(100, stop);
  }
  return undefined;
}

async function storesProbe(link: Link): Promise<boolean> {
  if ((await link.whenUp(PROBE_MS)) === undefined) return false;
  const store = () => askHub(link, "probe", { data: "probe", withinMs: PROBE_MS });
  let got = await store();
  if ("silence" in got && got.silence === "no-responders") {
    await askHub(link, "$JS.API.STREAM.CREATE.PROBE", { data: JSON.stringify(PROBE), withinMs: PROBE_MS });
    got = await store();
  }
  return "message" in got && got.message.string().includes('"seq":');
}

/** A machine that joins waits for it. */
const LOOK_EVERY_MS = 500;
/** The server reads its configuration twice, as for every change. */
const RELOADS = 2;

/**
 * Ends invitations until `stop`: a machine that has joined gets the keys that it has made, and the join file's keys stop
 * working, as do those of a file that nobody has used in time. So a file that was lost is worth nothing after that,
 * whatever a thief's clock says.
 */
async function settleInvitations(files: HubFiles, stop: AbortSignal): Promise<void> {
  /** The admins of the armies that have had invitations. */
  const links = new Map<string, Link>();
  /** When the hub's file was written, if it has no invitations. */
  let quietSince: number | undefined;
  // The process before this one may have ended between writing the configuration and telling a server that still runs.
  let isTold = findServerProcess(files) === undefined;

  while (!stop.aborted) {
    await settle().catch(() => {});
    await pause(LOOK_EVERY_MS, stop);
  }
  await Promise.all([...links.values()].map((link) => link.close()));

  async function settle(): Promise<void> {
    // Not while a command makes streams: a server that reads its configuration may not answer.
    if (!isTold) await withLock(files.changeLock, stop, reload);
    isTold = true;
    const { mtimeMs } = statSync(files.state);
    if (mtimeMs === quietSince) return;
    const state = requireHub(files);
    const invitations = openInvitations(state);
    quietSince = invitations.length === 0 ? mtimeMs : undefined;
    const said = new Map<string, PublicKeys | "none">();
    for (const { session, key } of invitations) {
      const link = links.get(session) ?? linkToHub(state, armyIn(state, session).admin.seed);
      links.set(session, link);
      const keys = await readKeys(link, key);
      // Nobody loses its keys because the hub was silent.
      if (keys !== undefined) said.set(key, keys);
    }
    if (settleMachines(state, said, new Date()) === undefined) return;
    await withLock(files.changeLock, stop, async () => {
      // A command may have changed it in the meantime.
      const settled = settleMachines(requireHub(files), said, new Date());
      if (settled === undefined) return;
      writeHub(files, settled);
      await reload();
    });
  }

  async function reload(): Promise<void> {
    const server = findServerProcess(files);
    if (server === undefined) return;
    for (let count = 0; count < RELOADS; count += 1) {
      signalServer(server, "SIGHUP");
      await pause(400, stop);
    }
  }
}
