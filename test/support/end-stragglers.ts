/**
 * A session whose creator was killed may appear late: everything that runs in a world's own home is ended with it.
 */
import { readdirSync, readFileSync } from "node:fs";

export async function endStragglers(home: string): Promise<void> {
  for (let pass = 0; pass < 20; pass += 1) {
    const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && livesIn(name, home));
    if (pids.length === 0) return;
    if (pass >= 10) for (const pid of pids) tryToKill(Number(pid));
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function livesIn(pid: string, home: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8").split("\0").includes(`HOME=${home}`);
  } catch {
    return false;
  }
}

function tryToKill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // The process has ended by itself.
  }
}
