/** How long a bell waits for an answer before it rings again: longer each time, but it never gives up. */
const MINUTE = 60_000;
const WAITS = [3_000, 10_000, 30_000, MINUTE, 2 * MINUTE, 5 * MINUTE];
const RARELY = 10 * MINUTE;

/** `attempt` counts from 1. */
export function waitAfter(attempt: number): number {
  return WAITS[attempt - 1] ?? RARELY;
}

const FAILURE_WAITS = [5_000, 30_000, MINUTE, 2 * MINUTE, 5 * MINUTE];

/** How long to wait after a failed turn before waking the agent again; `attempts` counts the earlier wake-ups. */
export function waitAfterFailure(attempts: number): number {
  return FAILURE_WAITS[attempts] ?? RARELY;
}

/** After this long without an answer, the person is shown that the agent does not answer. */
export const UNANSWERED_AFTER_MS = 10 * MINUTE;
/** The same for an agent that is at its prompt and could read. */
export const IGNORED_AFTER_MS = MINUTE;

/** Less than the pause between two looks, so that the next look is already a try. */
const FIRST_TRY_MS = 150;
const SLOWEST_TRY_MS = 15_000;

/**
 * How soon to retry after a refusal; `refusals` counts from 1. The bell waits about as long again as the person has been
 * in its way: somebody who erases a word should not hold up mail for a second, and a draft may stay for an hour.
 */
export function tryAgainAfter(refusals: number): number {
  return Math.min(FIRST_TRY_MS * 2 ** Math.min(refusals - 1, 10), SLOWEST_TRY_MS);
}
