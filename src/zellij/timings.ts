/** How long Zellij may take to answer and to make progress, and how often we look, in milliseconds. */

export const ASK_FOR_PANES_AGAIN_AFTER_MS = 100;
export const PANES_STILL_FOR_MS = 20_000;
export const LOOK_AT_PANES_EVERY_MS = 200;

export const ASK_FOR_SESSIONS_AGAIN_AFTER_MS = 100;
export const ALL_SESSIONS_ANSWER_WITHIN_MS = 2_000;
export const SESSION_ANSWERS_WITHIN_MS = 5_000;
export const START_STILL_FOR_MS = 20_000;
/** The limit even if there is progress: nothing takes that long. */
export const START_AT_MOST_MS = 600_000;
export const SESSION_GONE_WITHIN_MS = 10_000;
/** A request that Zellij refused will not be carried out later. */
export const GONE_AFTER_REFUSAL_WITHIN_MS = 300;
export const LOOK_AT_SESSION_EVERY_MS = 50;

export const LOOK_AT_SOCKET_EVERY_MS = 50;
/** Zellij needs only a fraction of this from creating the socket to answering on it. */
export const SOCKET_ANSWERS_WITHIN_MS = 500;

/** By then, calls that were made before the lock was taken have been answered. */
export const EARLIER_CALLS_ANSWERED_WITHIN_MS = 100;
export const START_GUARD_WITHIN_MS = 20_000;
export const LOOK_AT_START_GUARD_EVERY_MS = 25;

export const SWITCHED_WITHIN_MS = 2_000;
export const LOOK_AT_SWITCH_EVERY_MS = 100;

export const TYPE_AGAIN_AFTER_MS = 50;

export const LOOK_AT_MOVEMENT_EVERY_MS = 100;

export const CALL_WITHIN_MS = 10_000;
