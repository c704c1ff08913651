/**
 * Remembers for a moment when processes began, where asking means to start a program.
 *
 * What is remembered may only ever say that a process lives: whoever finds something else remembered asks anew. A pid
 * is handed out again only after all the others, tens of thousands of processes later, which takes longer than a moment.
 */
const A_MOMENT_MS = 1_000;

export interface RememberedStarts {
  /** Asks, and remembers the answer. */
  ask(pid: number): string | undefined;
  /** The answer of a moment ago, if there is a process with this pid. */
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
      // We ourselves live, and began only once.
      if (pid === process.pid || (now() - found.asked < A_MOMENT_MS && hasProcess(pid))) return found.start;
      known.delete(pid);
      return undefined;
    },
  };
}

/** Whether some process has this pid, ended or not, ours or not. */
export function hasProcess(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
