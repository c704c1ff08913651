/** Runs a small program for what it prints. The only place in the project that starts a process. */

const DEADLINE_MS = 2_000;

/** What the program printed, or undefined if it failed, is missing or did not end in time. */
export function readProgram(program: string, ...args: string[]): string | undefined {
  // Fetched only here: a relay on Linux never needs it, and would pay for it at every start.
  const { spawnSync } = process.getBuiltinModule("node:child_process");
  const run = spawnSync(program, args, {
    encoding: "utf8",
    timeout: DEADLINE_MS,
    killSignal: "SIGKILL",
    stdio: ["ignore", "pipe", "ignore"],
  });
  return run.status === 0 ? run.stdout : undefined;
}
