/** How long opening and ending an army may take, and how often we look, in milliseconds. */

/** Long enough for an ending server to be gone. */
export const SERVER_LEAVES_WITHIN_MS = 500;
/** Longer only if it is stopped, or on a machine that is very busy. */
export const SERVER_RESTS_WITHIN_MS = 5_000;
/** A client that was stopped while starting may leave a server that has yet to appear. */
export const SERVER_APPEARS_WITHIN_MS = 3_000;
export const LOOK_AT_SERVER_EVERY_MS = 25;

export const PROCESSES_LEAVE_WITHIN_MS = 2_000;
export const PROCESSES_HEED_TERM_WITHIN_MS = 2_000;
export const LOOK_AT_PROCESSES_EVERY_MS = 50;

/** If Zellij takes longer than this to start, it may have failed, and only the person at its terminal can see that. */
export const ARMY_LOCKED_FOR_MS = 60_000;

/** An agent that is started again has reported by then. */
export const AGENT_STARTS_WITHIN_MS = 60_000;
/** An Enter that Zellij lost is pressed again after this time. */
export const PRESS_ENTER_EVERY_MS = 3_000;
