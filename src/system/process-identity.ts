/**
 * Identifies a process, so that others can tell whether it is still alive.
 *
 * Pids are reused, so a pid is paired with the start time of its process. On Linux that time counts from the last
 * boot, so the boot id is part of it.
 */
import { readFileSync } from "node:fs";
import { lazily } from "./lazily.ts";
import { hasProcess, rememberStarts } from "./remember-starts.ts";
import { readProgram } from "./run-program.ts";

const starts = rememberStarts(startByPs);

/** `<pid>-<start>`, in characters that are valid in a file name; only the pid if the start time is unknown. */
export type ProcessIdentity = `${number}-${string}` | `${number}`;

/** Undefined if there is no such process. */
export function identifyProcess(
  pid: number,
  platform: NodeJS.Platform = process.platform,
): ProcessIdentity | undefined {
  const start = platform === "linux" ? startOnLinux(pid) : (ownStart(pid) ?? starts.ask(pid));
  return start === undefined ? undefined : `${pid}-${start}`;
}

/** The identity of this process. */
export function identifyOurselves(): ProcessIdentity {
  return identifyProcess(process.pid) ?? `${process.pid}`;
}

/** Whether a name has the form of an identity. */
export function isProcessIdentity(name: string): name is ProcessIdentity {
  return /^[1-9]\d{0,9}(-[A-Za-z0-9.]{1,64})?$/.test(name);
}

/** Takes an identity, or a text that begins with one followed by `-`. */
export function isProcessAlive(identity: string, platform: NodeJS.Platform = process.platform): boolean {
  const pid = Number.parseInt(identity, 10);
  if (!(pid > 0)) return false;
  const began = (start: string | undefined): boolean =>
    start !== undefined && `${identity}-`.startsWith(`${pid}-${start}-`);
  if (platform === "linux") return began(startOnLinux(pid));
  return hasProcess(pid) && (began(starts.recall(pid)) || began(starts.ask(pid)));
}

function ownStart(pid: number): string | undefined {
  return pid === process.pid ? starts.recall(pid) : undefined;
}

function startOnLinux(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The program's name is in parentheses and may contain spaces, so the fields are counted after it.
    const [state, ...fields] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const ticksSinceBoot = fields[18];
    if (state === "Z" || state === "X" || ticksSinceBoot === undefined) return undefined;
    return `${ticksSinceBoot}.${bootId()}`;
  } catch {
    return undefined;
  }
}

/** It does not change while any process is alive. */
const bootId = lazily(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").slice(0, 8));

function startByPs(pid: number): string | undefined {
  const line = readProgram("ps", "-o", "stat=,lstart=", "-p", String(pid))?.trim();
  if (line === undefined || line === "" || line.startsWith("Z")) return undefined;
  return line.replace(/^\S+\s+/, "").replaceAll(/[^A-Za-z0-9]+/g, ".");
}
