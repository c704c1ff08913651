/** The army's name unless the person chooses another. */
export const DEFAULT_SESSION = "overlord";

/** Spaces and slashes make Zellij's listings and socket paths ambiguous; a leading dash looks like a flag. */
const SESSION_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]*$/;

export function isSessionName(text: string): boolean {
  return SESSION_NAME.test(text);
}
