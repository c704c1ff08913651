/** What a NATS server must be able to do for an army. */

/** Older servers ignore half of what an army needs without a word. */
export const OLDEST_SERVER = "2.12.0";

/** The largest possible message, with every character escaped, its subject and its headers. */
export const MESSAGE_BYTES = 600_000;
