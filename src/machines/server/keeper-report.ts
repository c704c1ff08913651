/** What the process that supervises the server reports, for `ovld hub status` and `ovld hub doctor`. */
import { rmSync } from "node:fs";
import * as z from "zod/mini";
import { hasWords, inspectProcess } from "../../system/process-table.ts";
import { identifyOurselves, isProcessIdentity, type ProcessIdentity } from "../../system/process.ts";
import type { Server } from "./find-server.ts";
import type { HubFiles } from "./hub-files.ts";
import { readRecord, writeRecord } from "../../system/record.ts";

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

/** The report can be forged, and `ovld hub stop` ends the process that it names. */
function isKeeper(identity: string): boolean {
  if (identity === identifyOurselves()) return true;
  const words = isProcessIdentity(identity) ? inspectProcess(identity)?.words : undefined;
  return words !== undefined && hasWords(words, ["hub", "keep"]);
}
