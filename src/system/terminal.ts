/** Whether a person can see and type there; fetched only when asked, for it brings all of Node's networking along. */
export function isTerminal(descriptor: 0 | 1 | 2): boolean {
  return process.getBuiltinModule("node:tty").isatty(descriptor);
}
