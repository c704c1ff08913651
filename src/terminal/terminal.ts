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
