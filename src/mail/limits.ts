/** How much the store takes. One place, read by whoever checks or tells a limit. */
export const LIMITS = {
  subjectCharacters: 200,
  bodyBytes: 64 * 1024,
  taskCharacters: 500,
  unreadPerInbox: 1_000,
  /** The largest file a message of legal size can become, every character escaped. */
  messageFileBytes: 512 * 1024,
} as const;
