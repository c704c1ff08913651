/** The process of the hub's server: finds it, asks it to read its configuration again, and ends it. */
import { basename } from "node:path";
import { findProcess, hasWords } from "../../system/process-table.ts";
import { waitUntil } from "../../system/async.ts";
import { identifyProcess, isProcessAlive, type ProcessIdentity } from "../../system/process.ts";
import type { HubFiles } from "./hub-files.ts";

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
