/**
 * What a process was started with, according to the system. This is evidence of what the process is, whereas a file
 * that names the process is only a claim.
 *
 * On Linux both are in /proc, for the user who runs the process and for root. Elsewhere `ps` prints them, with
 * arguments and variables separated by spaces, and hides the variables of other users and of the system's own
 * programs.
 */
import { readFileSync } from "node:fs";
import { isProcessAlive } from "./process-identity.ts";
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
  const facts = platform === "linux" ? lookInProc(pid) : askPs(pid);
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

function lookInProc(pid: number): ProcessFacts | undefined {
  const words = readStrings(`/proc/${pid}/cmdline`);
  if (words === undefined || words[0] === "") return undefined;
  return { words, env: readVariables(readStrings(`/proc/${pid}/environ`) ?? []) };
}

function readStrings(path: string): string[] | undefined {
  try {
    return readFileSync(path, "utf8").split("\0");
  } catch {
    return undefined;
  }
}

function askPs(pid: number): ProcessFacts | undefined {
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
