/** How a command ends, for scripts; explained in docs/commands.md. */
import { ExitCode } from "@stricli/core";

export const EXIT = { done: 0, failed: 1, usage: 2, noArmy: 3, precondition: 4, conflict: 5 } as const;

/** The library's own codes are negative, which a shell would show as 246 to 251. */
export function exitCodeFor(code: number): number {
  if (code === ExitCode.UnknownCommand || code === ExitCode.InvalidArgument) return EXIT.usage;
  if (code < EXIT.done) return EXIT.failed;
  return code;
}
