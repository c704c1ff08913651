/** What is known about a terminal. */
import { readlinkSync } from "node:fs";
import { readProgram } from "../system/run-program.ts";

/** Whether a person can see and type there. Loaded only when needed, because it brings in all of Node's networking. */
export function isTerminal(descriptor: 0 | 1 | 2): boolean {
  return process.getBuiltinModule("node:tty").isatty(descriptor);
}

/** The width in columns; a terminal without a size counts as having the usual one. */
export function terminalColumns(): number {
  return process.stdout.columns || 80;
}

export function terminalRows(): number {
  return process.stdout.rows || 24;
}

/**
 * Whether a process's terminal is back in line mode: the program in it has given up reading single keys. False if the
 * process has no terminal, or if its mode is unknown.
 */
export function hasLineMode(pid: number, platform: NodeJS.Platform = process.platform): boolean {
  const terminal = platform === "linux" ? terminalInProc(pid) : terminalByPs(pid);
  if (terminal === undefined) return false;
  const flag = platform === "linux" ? "-F" : "-f";
  const settings = readProgram("stty", flag, terminal, "-a")?.split(/[\s;]+/) ?? [];
  return settings.includes("icanon");
}

function terminalInProc(pid: number): string | undefined {
  try {
    const path = readlinkSync(`/proc/${pid}/fd/0`);
    return path.startsWith("/dev/") ? path : undefined;
  } catch {
    return undefined;
  }
}

function terminalByPs(pid: number): string | undefined {
  const name = readProgram("ps", "-o", "tty=", "-p", String(pid))?.trim();
  return name === undefined || !/^\w/.test(name) ? undefined : `/dev/${name}`;
}
