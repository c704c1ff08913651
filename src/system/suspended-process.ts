/** Finds out what processes are doing, and continues those that were stopped, as by Ctrl-Z. */
import { type ProcessIdentity, isProcessAlive } from "./process-identity.ts";
import { readFileSync } from "node:fs";
import { readProgram } from "./run-program.ts";

export function isSuspended(
  identity: ProcessIdentity,
  platform: NodeJS.Platform = process.platform,
): boolean {
  return stateOf(identity, platform) === "T";
}

/** Whether a process waits for something to do. One that has work, but no processor or no leave to go on, does not. */
export function isResting(identity: string, platform: NodeJS.Platform = process.platform): boolean {
  return ["S", "I"].includes(stateOf(identity, platform) ?? "");
}

/** On Linux that of its first thread. */
function stateOf(identity: string, platform: NodeJS.Platform): string | undefined {
  if (!isProcessAlive(identity, platform)) return undefined;
  const pid = Number.parseInt(identity, 10);
  return platform === "linux" ? stateOnLinux(pid) : stateByPs(pid);
}

/** Also continues what was stopped along with it, which on a terminal is its whole process group. */
export function continueProcess(identity: ProcessIdentity): void {
  const pid = Number.parseInt(identity, 10);
  for (const target of [-pid, pid]) {
    if (!isProcessAlive(identity)) return;
    try {
      process.kill(target, "SIGCONT");
    } catch {
      // It does not lead a group, or it has just ended.
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
