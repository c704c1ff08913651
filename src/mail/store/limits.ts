/** The store's limits, defined once for every check and every message about them. */
import { MOST_MAIL } from "../../army/words.ts";

export const LIMITS = {
  ...MOST_MAIL,
  subjectCharacters: 200,
  taskCharacters: 500,
  /**
   * How much one claim hands over; the rest waits for the next. Claude Code shows a tool result in full up to 500,000
   * characters, and only the beginning of a longer one. Apart from its name, no message has more characters in an
   * answer than bytes in its file.
   */
  claimBytes: 480_000,
  /** How many broken files are kept for the person to look at. */
  quarantined: 500,
  /** How many presence files are read; an army has six, and a few more while relays are replaced. */
  presences: 200,
  /** The largest file of a request; a larger request can be answered only in its pane. */
  requestBytes: 1024 * 1024,
  /** How many ended requests of a role are remembered, so that a late answer learns what happened. */
  requestEnds: 50,
  /** How much a person may write in an answer. */
  answerCharacters: 20_000,
  /** The largest possible file of a valid message, with every character escaped. */
  messageFileBytes: 512 * 1024,
} as const;
