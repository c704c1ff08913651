/** How much mail an army accepts and keeps: the upper limits, below which a person may choose less. */
export interface MailLimits {
  /** How many messages may wait in one inbox. */
  unreadPerInbox: number;
  bodyBytes: number;
  /** How much of the journal is kept; the oldest part is deleted first. */
  journalMegabytes: number;
}

/** Above these limits a reader would refuse what a sender has stored. */
export const MOST_MAIL: Readonly<MailLimits> = {
  unreadPerInbox: 1_000,
  bodyBytes: 64 * 1024,
  journalMegabytes: 1_024,
};
