/**
 * Whether a living process has a file open. A file can be given any name, also that of a process that has nothing to do
 * with it; only a process that made the file, or uses it, has it open.
 */
import { lstatSync, readdirSync, readFileSync, statSync, type Stats } from "node:fs";
import { hasErrorCode } from "./file-error.ts";
import { isProcessAlive } from "./process-identity.ts";

/** True if the system does not say. */
export function holdsFile(identity: string, path: string): boolean {
  const file = lstatSync(path, { throwIfNoEntry: false });
  if (file === undefined || !isProcessAlive(identity)) return false;
  const pid = Number.parseInt(identity, 10);
  if (process.platform !== "linux") return true;
  try {
    return readdirSync(`/proc/${pid}/fd`).some((each) => isSame(`/proc/${pid}/fd/${each}`, file));
  } catch (error) {
    // The process has just ended.
    if (hasErrorCode(error, "ENOENT", "ESRCH")) return false;
    if (!hasErrorCode(error, "EACCES")) return true;
    // Another user's process has not made a file that belongs to us. One of ours may hide what it has open.
    return ownerOf(pid) === process.getuid?.() || file.uid !== process.getuid?.();
  }
}

function isSame(path: string, { dev, ino }: Stats): boolean {
  try {
    const found = statSync(path);
    return found.dev === dev && found.ino === ino;
  } catch {
    // It has just been closed.
    return false;
  }
}

function ownerOf(pid: number): number | undefined {
  try {
    const [, uid] = /^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return Number(uid);
  } catch {
    return undefined;
  }
}
