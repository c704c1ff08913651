/** The processes of a hub: its server, and the one that supervises it and reports about it. */
import { basename } from "node:path";
import { findProcess, hasWords, inspectProcess } from "../../system/process-table.ts";
import { waitUntil } from "../../system/async.ts";
import { readRecord, writeRecord } from "../../system/record.ts";
import {
  identifyProcess,
  isProcessAlive,
  type ProcessIdentity,
  identifyOurselves,
  isProcessIdentity,
} from "../../system/process.ts";
import type { HubFiles } from "./hub-files.ts";
import { rmSync } from "node:fs";
import * as z from "zod/mini";
import type { Server } from "./find-server.ts";
import { OvldError } from "../../system/ovld-error.ts";

/** Known by its command line: a file with its pid may be missing or out of date. */
export function findServerProcess(files: HubFiles): ProcessIdentity | undefined {
  const args = serverArgs(files);
  const pid = findProcess(
    ([program = "", ...words]) => /nats/.test(basename(program)) && hasWords(words, args),
  );
  return pid === undefined ? undefined : identifyProcess(pid);
}

export function serverArgs(files: HubFiles): string[] {
  return ["-c", files.config];
}

export function signalServer(server: ProcessIdentity, signal: NodeJS.Signals): void {
  try {
    if (isProcessAlive(server)) process.kill(Number.parseInt(server, 10), signal);
  } catch {
    // It has ended in the meantime.
  }
}

/** Asks it to end, and kills it if it does not. A process that is stuck in the kernel is still there afterwards. */
export async function endProcess(server: ProcessIdentity, stop?: AbortSignal): Promise<void> {
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    signalServer(server, signal);
    await waitUntil(() => !isProcessAlive(server), { everyMs: 20, withinMs: 5_000, stop });
    stop?.throwIfAborted();
  }
}

const RESTART_REASONS = ["ended", "silent", "disk-was-full"] as const;

export type RestartReason = (typeof RESTART_REASONS)[number];

const keeperReport = z.object({
  keeper: z.string(),
  since: z.iso.datetime(),
  program: z.string(),
  version: z.string(),
  /** The server's process. */
  server: z.nullable(z.string()),
  restarts: z.int(),
  lastRestart: z.nullable(z.object({ at: z.iso.datetime(), why: z.enum(RESTART_REASONS) })),
  /** When the server last stored a message of the keeper's. */
  stored: z.nullable(z.iso.datetime()),
  /** Whether it did so the last time it was asked. */
  isWell: z.boolean(),
});

export type KeeperReport = z.infer<typeof keeperReport>;

function now(): string {
  return new Date().toISOString();
}

/** For `ovld hub status` and `ovld hub doctor`. */
export function reportKeeping(files: HubFiles, { program, version }: Server) {
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
    try {
      writeRecord(files.keeper, report, { lasting: false });
    } catch {
      // On a full disk the server is watched all the same.
    }
  };
  return {
    started: (server: ProcessIdentity | undefined) => write({ server: server ?? null }),
    probed: (isWell: boolean) => write({ isWell, ...(isWell && { stored: now() }) }),
    ended: (why: RestartReason) =>
      write({ restarts: report.restarts + 1, lastRestart: { at: now(), why }, isWell: false }),
    close: () => rmSync(files.keeper, { force: true }),
  };
}

/** Undefined if no such process is running. */
export function readKeeping(files: HubFiles): KeeperReport | undefined {
  const report = readRecord(files.keeper, keeperReport);
  return report && isKeeper(report.keeper) ? report : undefined;
}

/** `ovld hub stop` ends this process: the report may be an old one, from a backup or another container. */
function isKeeper(identity: string): boolean {
  if (identity === identifyOurselves()) return true;
  const words = isProcessIdentity(identity) ? inspectProcess(identity)?.words : undefined;
  return words !== undefined && hasWords(words, ["hub", "keep"]);
}

/** Ends the process that supervises the server, and the server. False if nothing was running. Mail stays stored. */
export async function stopHub(files: HubFiles, stop?: AbortSignal): Promise<boolean> {
  const keeper = readKeeping(files)?.keeper;
  const isKept = keeper !== undefined && isProcessIdentity(keeper) && isProcessAlive(keeper);
  if (isKept) await endProcess(keeper, stop);
  const server = findServerProcess(files);
  if (server !== undefined) await endProcess(server, stop);
  const left = [keeper, server].find((each) => each !== undefined && isProcessAlive(each));
  if (left !== undefined)
    throw new OvldError({ code: "hub-not-stopped", facts: { pid: Number.parseInt(left, 10) } });
  return isKept || server !== undefined;
}
