/**
 * What processes were started with, according to the system, which ones are above this one, and which of them have a
 * given command line. This is evidence of what a process is, whereas a file that names a process is only a claim.
 *
 * On Linux arguments and variables are in /proc, for the user who runs the process and for root. Elsewhere `ps` prints
 * them, separated by spaces, and hides the variables of other users and of the system's own programs.
 */
import { readFileSync, readdirSync } from "node:fs";
import { isProcessAlive, readProcStat } from "./process.ts";
import { readProgram } from "./run-program.ts";

export interface ProcessFacts {
  words: string[];
  /** Empty if the system does not show it. */
  env: Readonly<Record<string, string>>;
}

/** Undefined if that process is not running, or is just ending and has already given up what it was started with. */
export function inspectProcess(
  identity: string,
  platform: NodeJS.Platform = process.platform,
): ProcessFacts | undefined {
  const pid = Number.parseInt(identity, 10);
  if (!isProcessAlive(identity, platform)) return undefined;
  const facts = platform === "linux" ? factsInProc(pid) : factsByPs(pid);
  // The process may have ended in the meantime, and its pid may belong to another.
  return isProcessAlive(identity, platform) ? facts : undefined;
}

/** Whether these arguments follow each other; in the output of `ps`, arguments with spaces are split. */
export function hasWords(
  words: readonly string[],
  wanted: readonly string[],
  platform: NodeJS.Platform = process.platform,
): boolean {
  if (platform !== "linux") return ` ${words.join(" ")} `.includes(` ${wanted.join(" ")} `);
  return words.some((_word, at) => wanted.every((each, offset) => words[at + offset] === each));
}

export interface ProcessLine {
  pid: number;
  /** Its command line. */
  words: string[];
}

/** More levels than nested shells ever have; guards against a process tree that changes while it is read. */
const MOST_ANCESTORS = 64;

/** The processes above this one: its parent, its parent's parent, and so on. */
export function listAncestors(
  pid: number = process.pid,
  platform: NodeJS.Platform = process.platform,
): ProcessLine[] {
  const look = platform === "linux" ? lookInProc : lookByPs;
  const ancestors: ProcessLine[] = [];
  let parent = look(pid)?.parent;
  while (parent !== undefined && parent > 1 && ancestors.length < MOST_ANCESTORS) {
    const found = look(parent);
    if (found !== undefined) ancestors.push({ pid: parent, words: found.words });
    parent = found?.parent;
  }
  return ancestors;
}

/** The pid of the youngest match; undefined if there is none, or if the system does not say. */
export function findProcess(fits: (words: string[], pid: number) => boolean): number | undefined {
  return findProcesses(fits).at(-1);
}

/**
 * The pids of all matches, oldest first. Only the person's own processes count: any user of the machine can start a
 * process with any command line.
 */
export function findProcesses(fits: (words: string[], pid: number) => boolean): number[] {
  const isLinux = process.platform === "linux";
  const running = isLinux ? processesInProc() : ownProcessesByPs();
  const found = running.filter(({ words, pid }) => fits(words, pid)).map(({ pid }) => pid);
  return isLinux ? found.filter((pid) => ownerOf(pid) === process.getuid?.()) : found;
}

function factsInProc(pid: number): ProcessFacts | undefined {
  const words = readStrings(`/proc/${pid}/cmdline`);
  if (words === undefined || words[0] === "") return undefined;
  return { words, env: readVariables(readStrings(`/proc/${pid}/environ`) ?? []) };
}

function factsByPs(pid: number): ProcessFacts | undefined {
  const args = readProgram("ps", "-ww", "-o", "args=", "-p", String(pid))?.trim();
  if (args === undefined) return undefined;
  const everything = readProgram("ps", "-E", "-ww", "-o", "args=", "-p", String(pid))?.trim() ?? "";
  const variables = everything.startsWith(args) ? everything.slice(args.length).trim() : "";
  return { words: args.split(" "), env: readVariables(variables.split(/ (?=[A-Za-z_]\w*=)/)) };
}

function readVariables(lines: readonly string[]): Record<string, string> {
  const pairs = lines.flatMap((line) => {
    const end = line.indexOf("=");
    return end > 0 ? [[line.slice(0, end), line.slice(end + 1)] as const] : [];
  });
  return Object.fromEntries(pairs);
}

function lookInProc(pid: number): { parent: number; words: string[] } | undefined {
  const stat = readProcStat(pid);
  const words = readStrings(`/proc/${pid}/cmdline`);
  return stat && words && { parent: stat.parent, words };
}

function lookByPs(pid: number): { parent: number; words: string[] } | undefined {
  const line = readProgram("ps", "-ww", "-o", "ppid=,args=", "-p", String(pid))?.trim();
  const [, parent, args = ""] = /^(\d+)\s+(.*)$/.exec(line ?? "") ?? [];
  return parent === undefined ? undefined : { parent: Number(parent), words: args.split(" ") };
}

function processesInProc(): ProcessLine[] {
  const pids = readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 0)
    .toSorted((one, other) => one - other);
  return pids.flatMap((pid) => {
    const words = readStrings(`/proc/${pid}/cmdline`);
    return words === undefined ? [] : [{ pid, words }];
  });
}

/** Arguments that contain spaces are split here. */
function ownProcessesByPs(): ProcessLine[] {
  const us = String(process.getuid?.());
  const lines = readProgram("ps", "-xo", "pid=,args=", "-U", us)?.split("\n") ?? [];
  return lines.map((line) => {
    const [pid, ...words] = line.trim().split(/\s+/);
    return { pid: Number(pid), words };
  });
}

/** The uid of the user who started a process, on Linux. */
function ownerOf(pid: number): number | undefined {
  try {
    const [, uid] = /^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return Number(uid);
  } catch {
    return undefined;
  }
}

function readStrings(path: string): string[] | undefined {
  try {
    return readFileSync(path, "utf8").split("\0");
  } catch {
    return undefined;
  }
}
