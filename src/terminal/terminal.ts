/** Whether a person can see and type there; fetched only when asked, for it brings all of Node's networking along. */
export function isTerminal(descriptor: 0 | 1 | 2): boolean {
  return process.getBuiltinModule("node:tty").isatty(descriptor);
}

/** How wide it is; a terminal of no size counts as the usual one. */
export function terminalColumns(): number {
  return process.stdout.columns || 80;
}

export function terminalRows(): number {
  return process.stdout.rows || 24;
}
