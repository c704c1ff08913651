/**
 * Finds one of the person's own processes by its command line. Any user of the machine can start a process with any
 * command line, so those of others prove nothing.
 */
import { readdirSync, readFileSync } from "node:fs";
import { readProgram } from "./run-program.ts";

/** The pid of the youngest match; undefined if there is none, or if the system does not say. */
export function findProcess(fits: (words: string[], pid: number) => boolean): number | undefined {
  return findProcesses(fits).at(-1);
}

/** The pids of all matches, oldest first. */
export function findProcesses(fits: (words: string[], pid: number) => boolean): number[] {
  const isLinux = process.platform === "linux";
  const running = isLinux ? commandsOnLinux() : commandsByPs();
  const found = running.filter(({ words, pid }) => fits(words, pid)).map(({ pid }) => pid);
  return isLinux ? found.filter((pid) => ownerOf(pid) === process.getuid?.()) : found;
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

interface Command {
  pid: number;
  words: string[];
}

function commandsOnLinux(): Command[] {
  const pids = readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 0)
    .toSorted((one, other) => one - other);
  return pids.flatMap((pid) => {
    try {
      return [{ pid, words: readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0") }];
    } catch {
      return [];
    }
  });
}

/** Arguments that contain spaces are split here. */
function commandsByPs(): Command[] {
  const us = String(process.getuid?.());
  const lines = readProgram("ps", "-xo", "pid=,args=", "-U", us)?.split("\n") ?? [];
  return lines.map((line) => {
    const [pid, ...words] = line.trim().split(/\s+/);
    return { pid: Number(pid), words };
  });
}
