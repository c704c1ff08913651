/**
 * What a process was started with, as the system tells it: that is evidence of what the process is, where a file that
 * names it is only somebody's word.
 *
 * Linux has both in /proc, for the user who runs the process and for root. Elsewhere `ps` prints them, words and
 * variables parted by blanks, and hides the variables of other users and of the system's own programs.
 */
import { readFileSync } from "node:fs";
import { isProcessAlive } from "./process-identity.ts";
import { readProgram } from "./run-program.ts";

export interface ProcessFacts {
  words: string[];
  /** Empty where the system does not show it. */
  env: Readonly<Record<string, string>>;
}

/** Takes an identity, as `process-identity.ts` has them; undefined if that process does not live. */
export function inspectProcess(
  identity: string,
  platform: NodeJS.Platform = process.platform,
): ProcessFacts | undefined {
  const pid = Number.parseInt(identity, 10);
  if (!isProcessAlive(identity, platform)) return undefined;
  const facts = platform === "linux" ? lookInProc(pid) : askPs(pid);
  // It may have ended meanwhile, and its pid be another's.
  return isProcessAlive(identity, platform) ? facts : undefined;
}

/** Whether these words stand next to each other; where `ps` was asked, words with blanks in them have come apart. */
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
  return words && { words, env: readVariables(readStrings(`/proc/${pid}/environ`) ?? []) };
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
