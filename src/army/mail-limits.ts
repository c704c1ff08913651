/** How much mail an army takes and keeps: the most there can be, within which a person may choose less. */
export interface MailLimits {
  /** Messages that may wait in one inbox. */
  unreadPerInbox: number;
  bodyBytes: number;
  /** How much of the journal is kept; the oldest goes first. */
  journalMegabytes: number;
}

/** Beyond these a reader would refuse what a sender has stored. */
export const MOST_MAIL: Readonly<MailLimits> = {
  unreadPerInbox: 1_000,
  bodyBytes: 64 * 1024,
  journalMegabytes: 1_024,
};
