/** Ends processes by their identity, so that a pid that was handed out again is never hit. */
import { pause } from "./pause.ts";
import { isProcessAlive } from "./process-identity.ts";

const LEAVE_BY_THEMSELVES_MS = 2_000;
const HEED_A_TERM_MS = 2_000;
const LOOK_EVERY_MS = 50;

/** Gives each a chance to end by itself, then asks, then insists; returns how many had to be told. */
export async function endProcesses(identities: readonly string[]): Promise<number> {
  const stubborn = await stillAlive(identities, LEAVE_BY_THEMSELVES_MS);
  signal(stubborn, "SIGTERM");
  signal(await stillAlive(stubborn, HEED_A_TERM_MS), "SIGKILL");
  await stillAlive(stubborn, HEED_A_TERM_MS);
  return stubborn.length;
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
      process.kill(Number.parseInt(identity, 10), name);
    } catch {
      // It ended in this moment, or is not ours to end.
    }
  }
}
