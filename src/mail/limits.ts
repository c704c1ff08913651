/** How much the store takes. One place, read by whoever checks or tells a limit. */
import { MOST_MAIL } from "../army/mail-limits.ts";

export const LIMITS = {
  ...MOST_MAIL,
  subjectCharacters: 200,
  taskCharacters: 500,
  /**
   * How much one reading hands over; what is beyond waits for the next. Claude Code shows a tool's answer whole up to
   * 500,000 characters, and of a longer one only the beginning. No message has more characters in an answer than
   * bytes in its file, but for its name.
   */
  claimBytes: 480_000,
  /** Broken files that are kept for a person to look at. */
  quarantined: 500,
  /** Notes of relays that are looked at; an army has six, and a few more while some are replaced. */
  presences: 200,
  /** The largest file a message of legal size can become, every character escaped. */
  messageFileBytes: 512 * 1024,
} as const;
