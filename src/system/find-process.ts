/** Finds a process by its command line. */
import { readdirSync, readFileSync } from "node:fs";
import { readProgram } from "./run-program.ts";

/** The pid of the youngest match; undefined if there is none, or if the system does not say. */
export function findProcess(fits: (words: string[], pid: number) => boolean): number | undefined {
  return findProcesses(fits).at(-1);
}

/** The pids of all matches, oldest first. */
export function findProcesses(fits: (words: string[], pid: number) => boolean): number[] {
  const running = process.platform === "linux" ? commandsOnLinux() : commandsByPs();
  return running.filter(({ words, pid }) => fits(words, pid)).map(({ pid }) => pid);
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
  const lines = readProgram("ps", "-axo", "pid=,args=")?.split("\n") ?? [];
  return lines.map((line) => {
    const [pid, ...words] = line.trim().split(/\s+/);
    return { pid: Number(pid), words };
  });
}
