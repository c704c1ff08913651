/** The pauses around giving a ritual, and how often to look at one that waits, in milliseconds. */

export const RITUALS_STILL_FOR_MS = 120_000;
export const LOOK_AT_NOTES_EVERY_MS = 250;
export const LOOK_AT_QUESTIONS_EVERY_MS = 2_000;
/** A pane that has just started shows something else a moment later. */
export const QUESTION_STANDS_FOR_MS = 1_500;

export const BEFORE_WRITING_MS = 500;
export const BETWEEN_ROLES_MS = 1_000;

export const FIRST_TRY_AFTER_MS = 300;
export const SLOWEST_TRY_MS = 3_000;
export const LOOK_FOR_NEW_AGENT_EVERY_MS = 1_000;

export const LOOK_AT_VIEWER_EVERY_MS = 40;
