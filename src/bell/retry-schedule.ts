/** How long a bell waits for its answer before it is rung again: slower each time, and never for good. */
const MINUTE = 60_000;
const WAITS = [3_000, 10_000, 30_000, MINUTE, 2 * MINUTE, 5 * MINUTE];
const RARELY = 10 * MINUTE;

/** `attempt` counts from one. */
export function waitAfter(attempt: number): number {
  return WAITS[attempt - 1] ?? RARELY;
}

const FAILURE_WAITS = [5_000, 30_000, MINUTE, 2 * MINUTE, 5 * MINUTE];

/** How long after a turn that died its agent is left alone before it is woken again, after so many times. */
export function waitAfterFailure(attempts: number): number {
  return FAILURE_WAITS[attempts] ?? RARELY;
}

/** After that long without an answer, the person is shown that nobody answers. */
export const UNANSWERED_AFTER_MS = 10 * MINUTE;
/** The same for an agent that sits at its prompt and could read. */
export const IGNORED_AFTER_MS = MINUTE;

const FIRST_LOOK_MS = 500;
const SLOWEST_LOOK_MS = 15_000;

/** How soon to look again at what kept the bell from being rung: somebody's draft may stand there for an hour. */
export function lookAgainAfter(refusals: number): number {
  return Math.min(FIRST_LOOK_MS * 2 ** Math.min(refusals, 10), SLOWEST_LOOK_MS);
}
