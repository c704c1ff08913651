/**
 * Identifies a process, so that others can tell whether it is still alive; says whether it is stopped or at rest, what
 * it was started with, and what is above it. The system is asked, because a file that names a process is only a claim.
 *
 * Pids are reused, so a pid is paired with the start time of its process. On Linux that time counts from the last
 * boot, so the boot id is part of it.
 */
import { tryTo } from "./file-error.ts";
import { processTable, type ProcessLine } from "./platform.ts";

/** `<pid>-<start>`, in characters that are valid in a file name; only the pid if the start time is unknown. */
export type ProcessIdentity = `${number}-${string}` | `${number}`;

/** Undefined if there is no such process. */
export function identifyProcess(pid: number): ProcessIdentity | undefined {
  const known = pid === process.pid ? recallStart(pid) : undefined;
  const start = known ?? startTimeOf(pid);
  return start === undefined ? undefined : `${pid}-${start}`;
}

export function identifyOurselves(): ProcessIdentity {
  return identifyProcess(process.pid) ?? `${process.pid}`;
}

export function isProcessIdentity(name: string): name is ProcessIdentity {
  return /^[1-9]\d{0,9}(-[A-Za-z0-9.]{1,64})?$/.test(name);
}

/** Takes an identity, or a text that begins with one followed by `-`. */
export function isProcessAlive(identity: string): boolean {
  const pid = Number.parseInt(identity, 10);
  if (!(pid > 0) || !hasProcess(pid)) return false;
  const began = (start: string | undefined): boolean =>
    start !== undefined && `${identity}-`.startsWith(`${pid}-${start}-`);
  return began(recallStart(pid)) || began(startTimeOf(pid));
}

function startTimeOf(pid: number): string | undefined {
  return processTable().source === "files" ? processTable().look(pid)?.start : starts.ask(pid);
}

function recallStart(pid: number): string | undefined {
  return processTable().source === "files" ? undefined : starts.recall(pid);
}

/** Whether a process was stopped, as by Ctrl-Z. */
export function isSuspended(identity: ProcessIdentity): boolean {
  return stateOf(identity) === "T";
}

/** Whether a process waits for something to do. One that has work, but no processor or no leave to go on, does not. */
export function isResting(identity: string): boolean {
  return ["S", "I"].includes(stateOf(identity) ?? "");
}

/** On Linux that of its first thread. */
function stateOf(identity: string): string | undefined {
  if (!isProcessAlive(identity)) return undefined;
  return processTable().look(Number.parseInt(identity, 10))?.state;
}

/** Also continues what was stopped along with it, which on a terminal is its whole process group. */
export function continueProcess(identity: ProcessIdentity): void {
  const pid = Number.parseInt(identity, 10);
  for (const target of [-pid, pid]) {
    if (!isProcessAlive(identity)) return;
    // It does not lead a group, or it has just ended.
    tryTo(() => process.kill(target, "SIGCONT"));
  }
}

const CACHED_MS = 1_000;

/**
 * Caches the start times of processes briefly on systems where reading one means running a program.
 *
 * A cached time may only confirm that a process is alive; if it says anything else, the system is asked again. A pid
 * is reused only after all others, tens of thousands of processes later, which takes longer than the cache lasts.
 */
export function rememberStarts(askFor: (pid: number) => string | undefined, now = () => performance.now()) {
  const known = new Map<number, { start: string | undefined; asked: number }>();
  return {
    /** Asks the system and caches the answer. */
    ask(pid: number): string | undefined {
      const start = askFor(pid);
      known.set(pid, { start, asked: now() });
      return start;
    },
    /** The cached answer, if there is a process with this pid. */
    recall(pid: number): string | undefined {
      const { start, asked = -Infinity } = known.get(pid) ?? {};
      // This process is alive, and its start time never changes.
      return pid === process.pid || (now() - asked < CACHED_MS && hasProcess(pid)) ? start : undefined;
    },
  };
}

const starts = rememberStarts((pid) => processTable().look(pid)?.start);

/** Whether any process has this pid, even one that has ended or is another user's. */
function hasProcess(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

export interface ProcessFacts {
  words: string[];
  /** Empty if the system does not show it. */
  env: Readonly<Record<string, string>>;
}

/** Undefined if that process is not running, or is just ending and has already given up what it was started with. */
export function inspectProcess(identity: string): ProcessFacts | undefined {
  const pid = Number.parseInt(identity, 10);
  if (!isProcessAlive(identity)) return undefined;
  const table = processTable();
  const words = table.words(pid);
  const variables = table.variables(pid).flatMap((line) => {
    const end = line.indexOf("=");
    return end > 0 ? [[line.slice(0, end), line.slice(end + 1)] as const] : [];
  });
  // The process may have ended in the meantime, and its pid may belong to another.
  if (words === undefined || !isProcessAlive(identity)) return undefined;
  return { words, env: Object.fromEntries(variables) };
}

/** Whether these arguments follow each other; the output of a program splits those with spaces. */
export function hasWords(words: readonly string[], wanted: readonly string[]): boolean {
  if (processTable().source === "program") return ` ${words.join(" ")} `.includes(` ${wanted.join(" ")} `);
  return words.some((_word, at) => wanted.every((each, offset) => words[at + offset] === each));
}

/** More levels than nested shells ever have; guards against a process tree that changes while it is read. */
const MOST_ANCESTORS = 64;

/** The processes above this one: its parent, its parent's parent, and so on. */
export function listAncestors(pid = process.pid): ProcessLine[] {
  const table = processTable();
  const ancestors: ProcessLine[] = [];
  let parent = table.look(pid)?.parent;
  while (parent !== undefined && parent > 1 && ancestors.length < MOST_ANCESTORS) {
    ancestors.push({ pid: parent, words: table.words(parent) ?? [] });
    parent = table.look(parent)?.parent;
  }
  return ancestors;
}

/** The pids of the person's own processes that match, oldest first. */
export function findProcesses(fits: (words: string[], pid: number) => boolean): number[] {
  const own = processTable().own();
  return own
    .filter(({ words, pid }) => fits(words, pid))
    .map(({ pid }) => pid)
    .toSorted((one, other) => one - other);
}

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
