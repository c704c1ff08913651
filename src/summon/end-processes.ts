/** Ends processes by their identity, so that a pid that was handed out again is never hit. */
import { pause } from "../system/pause.ts";
import { isProcessAlive } from "../system/process-identity.ts";

const LEAVE_BY_THEMSELVES_MS = 2_000;
const HEED_A_TERM_MS = 2_000;
const LOOK_EVERY_MS = 50;

interface Ended {
  /** How many had to be told. */
  told: number;
  /** The pids of those that live on: not ours to end, or stuck in the kernel. */
  alive: number[];
}

/** Gives each a chance to end by itself, then asks, then insists. */
export async function endProcesses(identities: readonly string[]): Promise<Ended> {
  const stubborn = await stillAlive(identities, LEAVE_BY_THEMSELVES_MS);
  signal(stubborn, "SIGTERM");
  signal(await stillAlive(stubborn, HEED_A_TERM_MS), "SIGKILL");
  const alive = await stillAlive(stubborn, HEED_A_TERM_MS);
  return { told: stubborn.length, alive: alive.map(pidOf) };
}

async function stillAlive(identities: readonly string[], withinMs: number): Promise<string[]> {
  const until = performance.now() + withinMs;
  for (;;) {
    const alive = identities.filter((identity) => isProcessAlive(identity));
    if (alive.length === 0 || performance.now() > until) return alive;
    await pause(LOOK_EVERY_MS);
  }
}

function signal(identities: readonly string[], name: NodeJS.Signals): void {
  for (const identity of identities) {
    if (!isProcessAlive(identity)) continue;
    try {
      process.kill(pidOf(identity), name);
    } catch {
      // It ended in this moment, or is not ours to end.
    }
  }
}

function pidOf(identity: string): number {
  return Number.parseInt(identity, 10);
}
