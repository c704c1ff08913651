/**
 * Identifies a process, so that others can tell whether it is still alive, and says whether it is stopped or at rest.
 *
 * Pids are reused, so a pid is paired with the start time of its process. On Linux that time counts from the last
 * boot, so the boot id is part of it.
 */
import { readFileSync } from "node:fs";
import { lazily } from "./async.ts";
import { readProgram } from "./run-program.ts";

/** `<pid>-<start>`, in characters that are valid in a file name; only the pid if the start time is unknown. */
export type ProcessIdentity = `${number}-${string}` | `${number}`;

const starts = rememberStarts(startByPs);

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

/** Whether a process was stopped, as by Ctrl-Z. */
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

/** On Linux that of its first thread. */
function stateOf(identity: string, platform: NodeJS.Platform): string | undefined {
  if (!isProcessAlive(identity, platform)) return undefined;
  const pid = Number.parseInt(identity, 10);
  if (platform === "linux") return readProcStat(pid)?.state;
  return readProgram("ps", "-o", "stat=", "-p", String(pid))?.trim()[0];
}

function ownStart(pid: number): string | undefined {
  return pid === process.pid ? starts.recall(pid) : undefined;
}

function startOnLinux(pid: number): string | undefined {
  const { state, ticksSinceBoot } = readProcStat(pid) ?? {};
  if (state === "Z" || state === "X" || ticksSinceBoot === undefined) return undefined;
  return `${ticksSinceBoot}.${bootId()}`;
}

/** It does not change while any process is alive. */
const bootId = lazily(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").slice(0, 8));

export interface ProcStat {
  state: string | undefined;
  parent: number;
  ticksSinceBoot: string | undefined;
}

/** What Linux says about a process; undefined if there is none. */
export function readProcStat(pid: number): ProcStat | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The program's name is in parentheses and may contain spaces, so the fields are counted after it.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { state: fields[0], parent: Number(fields[1]), ticksSinceBoot: fields[19] };
  } catch {
    return undefined;
  }
}

function startByPs(pid: number): string | undefined {
  const line = readProgram("ps", "-o", "stat=,lstart=", "-p", String(pid))?.trim();
  if (line === undefined || line === "" || line.startsWith("Z")) return undefined;
  return line.replace(/^\S+\s+/, "").replaceAll(/[^A-Za-z0-9]+/g, ".");
}

const CACHED_MS = 1_000;

/**
 * Caches the start times of processes briefly on systems where reading one means running a program.
 *
 * A cached time may only confirm that a process is alive; if it says anything else, the system is asked again. A pid
 * is reused only after all others, tens of thousands of processes later, which takes longer than the cache lasts.
 */
export function rememberStarts(
  askFor: (pid: number) => string | undefined,
  now: () => number = () => performance.now(),
) {
  const known = new Map<number, { start: string; asked: number }>();
  return {
    /** Asks the system and caches the answer. */
    ask(pid: number): string | undefined {
      const start = askFor(pid);
      if (start === undefined) known.delete(pid);
      else known.set(pid, { start, asked: now() });
      return start;
    },
    /** The cached answer, if there is a process with this pid. */
    recall(pid: number): string | undefined {
      const found = known.get(pid);
      if (found === undefined) return undefined;
      // This process is alive, and its start time never changes.
      if (pid === process.pid || (now() - found.asked < CACHED_MS && hasProcess(pid))) return found.start;
      known.delete(pid);
      return undefined;
    },
  };
}

/** Whether any process has this pid, even one that has ended or is another user's. */
function hasProcess(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** Calls back once when this process is asked to end. */
export function onceAskedToEnd(end: (signal: NodeJS.Signals) => void): void {
  let asked = false;
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => {
      if (asked) return;
      asked = true;
      end(signal);
    });
  }
}

/** Without this the kernel kills a process at its file-size limit; with it the write fails and can be reported. */
export function surviveFileSizeLimit(): void {
  process.on("SIGXFSZ", () => {});
}
