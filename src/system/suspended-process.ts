/** Processes that were stopped, as Ctrl-Z does, and setting them going again. */
import { type ProcessIdentity, isProcessAlive } from "./process-identity.ts";
import { readFileSync } from "node:fs";
import { readProgram } from "./run-program.ts";

/** Takes an identity, as `process-identity.ts` has them. */
export function isSuspended(
  identity: ProcessIdentity,
  platform: NodeJS.Platform = process.platform,
): boolean {
  if (!isProcessAlive(identity, platform)) return false;
  const pid = Number.parseInt(identity, 10);
  return (platform === "linux" ? stateOnLinux(pid) : stateByPs(pid)) === "T";
}

/** With whatever was stopped along with it: on a terminal that is all of its process group. */
export function continueProcess(identity: ProcessIdentity): void {
  const pid = Number.parseInt(identity, 10);
  for (const target of [-pid, pid]) {
    if (!isProcessAlive(identity)) return;
    try {
      process.kill(target, "SIGCONT");
    } catch {
      // It leads no group, or has ended in this moment.
    }
  }
}

function stateOnLinux(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2)[0];
  } catch {
    return undefined;
  }
}

function stateByPs(pid: number): string | undefined {
  return readProgram("ps", "-o", "stat=", "-p", String(pid))?.trim()[0];
}
