/**
 * Caches the start times of processes briefly on systems where reading one means running a program.
 *
 * A cached time may only confirm that a process is alive; if it says anything else, the system is asked again. A pid
 * is reused only after all others, tens of thousands of processes later, which takes longer than the cache lasts.
 */
const A_MOMENT_MS = 1_000;

export interface RememberedStarts {
  /** Asks the system and caches the answer. */
  ask(pid: number): string | undefined;
  /** The cached answer, if there is a process with this pid. */
  recall(pid: number): string | undefined;
}

export function rememberStarts(
  askFor: (pid: number) => string | undefined,
  now: () => number = () => performance.now(),
): RememberedStarts {
  const known = new Map<number, { start: string; asked: number }>();
  return {
    ask(pid) {
      const start = askFor(pid);
      if (start === undefined) known.delete(pid);
      else known.set(pid, { start, asked: now() });
      return start;
    },
    recall(pid) {
      const found = known.get(pid);
      if (found === undefined) return undefined;
      // This process is alive, and its start time never changes.
      if (pid === process.pid || (now() - found.asked < A_MOMENT_MS && hasProcess(pid))) return found.start;
      known.delete(pid);
      return undefined;
    },
  };
}

/** Whether any process has this pid, even one that has ended or is another user's. */
export function hasProcess(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
