/** When to look at an agent and its mail again, and when to ring again. */
import { LONGEST_LAG_MS, type AgentView } from "./agent-watch.ts";

export interface Looks {
  look: () => void;
  close: () => void;
}

/**
 * Runs one look at a time: when requested, and again after `nextAfter` milliseconds, if there should be another look
 * then.
 */
export function keepLooking(lookOnce: () => Promise<void>, nextAfter: () => number | undefined): Looks {
  let atWork = false;
  let missed = false;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  function look(): void {
    missed = atWork;
    if (closed || atWork) return;
    atWork = true;
    clearTimeout(timer);
    lookOnce()
      // The store may have been removed together with its session; then nothing is left to look at.
      .catch(() => {})
      .finally(() => {
        atWork = false;
        if (closed) return;
        if (missed) return void setImmediate(look);
        const after = whenNext();
        if (after !== undefined) timer = setTimeout(look, after).unref();
      });
  }
  /** If this fails, the next event or rescan leads to a look. */
  function whenNext(): number | undefined {
    try {
      return nextAfter();
    } catch {
      return undefined;
    }
  }
  return {
    look,
    close() {
      closed = true;
      clearTimeout(timer);
    },
  };
}

/** While mail waits or the agent's state is unknown, the registry and the clock are checked this often. */
const WHILE_MAIL_WAITS_MS = 200;
/** Only the registry shows that a turn was interrupted or a question answered. */
const WHILE_AT_WORK_MS = 250;
const WHILE_REGISTRY_LAGS_MS = 25;

/** Undefined if the next event, or the regular rescan of the inbox, is soon enough. */
export function nextLookAfter(view: AgentView, isExpectant: boolean, isLagging: boolean): number | undefined {
  if (isLagging) return WHILE_REGISTRY_LAGS_MS;
  if (isExpectant) return WHILE_MAIL_WAITS_MS;
  if (view.silent) return undefined;
  if (view.state === "unknown") return WHILE_MAIL_WAITS_MS;
  return view.state === "busy" || view.state === "asking" ? WHILE_AT_WORK_MS : undefined;
}

/**
 * After each change, the registry lags briefly behind the hooks. Nothing is decided or reported until it catches up.
 */
export function watchLag(now: () => number): (view: AgentView) => boolean {
  let since: number | undefined;
  return ({ state, silent }) => {
    since = state === "unknown" && !silent ? (since ?? now()) : undefined;
    return since !== undefined && now() - since < LONGEST_LAG_MS;
  };
}

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
