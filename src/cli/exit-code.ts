/** How a command ends, for scripts; docs/commands.md explains these. */
import { ExitCode } from "@stricli/core";

const DONE = 0;
const FAILED = 1;
const USAGE = 2;

/** The library's own codes are negative, which a shell would show as 246 to 251. */
export function exitCodeFor(code: number): number {
  if (code === ExitCode.UnknownCommand || code === ExitCode.InvalidArgument) return USAGE;
  if (code < DONE) return FAILED;
  return code;
}
