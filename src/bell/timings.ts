/**
 * How long ringing an agent may take, in milliseconds. Growing waits are in retry-schedule.ts, the next look in
 * next-look.ts.
 */

/** After a relay has listed its tools, the model needs a moment before it can use them. */
export const TOOLS_LISTED_SETTLE_MS = 300;

/** Longer than an agent program's registry ever lagged behind its hooks. */
export const LONGEST_LAG_MS = 1_000;

/** The agents share one account, so they resume one after another rather than hitting the limit together again. */
export const BETWEEN_ROLES_AFTER_LIMIT_MS = 5_000;

export const OUTCOME_WITHIN_MS = 1_000;
export const FIRST_LOOK_FOR_OUTCOME_MS = 1;
export const SLOWEST_LOOK_FOR_OUTCOME_MS = 10;

export const RESCAN_INBOX_EVERY_MS = 2_000;

export const TYPING_TURN_WITHIN_MS = 10_000;

/**
 * During a burst of mail to an agent that cannot be rung, one report per interval is enough: senders can predict it.
 */
export const REPORT_MORE_HELD_MAIL_EVERY_MS = 250;

export const SUBSTITUTE_TYPING_TURN_WITHIN_MS = 2_000;
/** No relay repeats this ring, so a sender that writes after this time rings again. */
export const SUBSTITUTE_RINGS_AGAIN_AFTER_MS = 60_000;

export const SWEEP_COMPOSER_EVERY_MS = 1_000;
