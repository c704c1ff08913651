/** What is known about a terminal. */
import { processTable } from "../system/platform.ts";

/** Whether a person can see and type there. Loaded only when needed, because it brings in all of Node's networking. */
export function isTerminal(descriptor: 0 | 1 | 2): boolean {
  return process.getBuiltinModule("node:tty").isatty(descriptor);
}

/** The width in columns; a terminal without a size counts as having the usual one. */
export function terminalColumns(): number {
  return process.stdout.columns || 80;
}

/** The width for text that is read: longer lines than 100 are hard to read, and a pipe has the usual width. */
export function readableColumns(): number {
  return isTerminal(1) ? Math.min(terminalColumns(), 100) : 80;
}

export function terminalRows(): number {
  return process.stdout.rows || 24;
}

/**
 * Whether a process's terminal is back in line mode: the program in it has given up reading single keys. False if the
 * process has no terminal, or if its mode is unknown.
 */
export function hasLineMode(pid: number): boolean {
  const settings =
    processTable()
      .terminal(pid)
      ?.split(/[\s;]+/) ?? [];
  return settings.includes("icanon");
}
