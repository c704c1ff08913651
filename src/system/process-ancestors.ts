/** The processes above this one: its parent, its parent's parent, and so on. */
import { readFileSync } from "node:fs";
import { readProgram } from "./run-program.ts";

export interface Ancestor {
  pid: number;
  /** Its command line. */
  words: string[];
}

/** More levels than nested shells ever have; guards against a process tree that changes while it is read. */
const MOST = 64;

export function listAncestors(
  pid: number = process.pid,
  platform: NodeJS.Platform = process.platform,
): Ancestor[] {
  const ancestors: Ancestor[] = [];
  let parent = look(pid, platform)?.parent;
  while (parent !== undefined && parent > 1 && ancestors.length < MOST) {
    const found = look(parent, platform);
    if (found !== undefined) ancestors.push({ pid: parent, words: found.words });
    parent = found?.parent;
  }
  return ancestors;
}

function look(pid: number, platform: NodeJS.Platform): { parent: number; words: string[] } | undefined {
  return platform === "linux" ? lookInProc(pid) : askPs(pid);
}

function lookInProc(pid: number): ReturnType<typeof look> {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The program's name is in parentheses and may contain spaces, so the fields are counted after it.
    const [, parent = ""] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
    return { parent: Number(parent), words };
  } catch {
    return undefined;
  }
}

function askPs(pid: number): ReturnType<typeof look> {
  const line = readProgram("ps", "-ww", "-o", "ppid=,args=", "-p", String(pid))?.trim();
  const [, parent, args = ""] = /^(\d+)\s+(.*)$/.exec(line ?? "") ?? [];
  return parent === undefined ? undefined : { parent: Number(parent), words: args.split(" ") };
}
