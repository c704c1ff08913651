/** Ends processes by their identity, so that a reused pid is never hit. */
import { pause } from "../system/async.ts";
import { isProcessAlive } from "../system/process.ts";
import {
  PROCESSES_LEAVE_WITHIN_MS,
  PROCESSES_HEED_TERM_WITHIN_MS,
  LOOK_AT_PROCESSES_EVERY_MS,
} from "./timings.ts";

interface Ended {
  /** How many needed a signal. */
  told: number;
  /** The pids of processes that are still alive: another user's, or stuck in the kernel. */
  alive: number[];
}

/** Lets each process end by itself, then sends SIGTERM, then SIGKILL. */
export async function endProcesses(
  identities: readonly string[],
  leaveWithinMs = PROCESSES_LEAVE_WITHIN_MS,
): Promise<Ended> {
  const stubborn = await stillAlive(identities, leaveWithinMs);
  signal(stubborn, "SIGTERM");
  signal(await stillAlive(stubborn, PROCESSES_HEED_TERM_WITHIN_MS), "SIGKILL");
  const alive = await stillAlive(stubborn, PROCESSES_HEED_TERM_WITHIN_MS);
  return { told: stubborn.length, alive: alive.map(pidOf) };
}

async function stillAlive(identities: readonly string[], withinMs: number): Promise<string[]> {
  const until = performance.now() + withinMs;
  for (;;) {
    const alive = identities.filter((identity) => isProcessAlive(identity));
    if (alive.length === 0 || performance.now() > until) return alive;
    await pause(LOOK_AT_PROCESSES_EVERY_MS);
  }
}

function signal(identities: readonly string[], name: NodeJS.Signals): void {
  for (const identity of identities) {
    if (!isProcessAlive(identity)) continue;
    try {
      process.kill(pidOf(identity), name);
    } catch {
      // The process has just ended, or belongs to another user.
    }
  }
}

function pidOf(identity: string): number {
  return Number.parseInt(identity, 10);
}
