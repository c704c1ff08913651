/**
 * Who may use the desk: a browser that has opened its link. A link works once, for a few minutes, and becomes a cookie, so
 * that one that is left in a terminal, a history or a log is worth nothing. There is a new one only on request.
 */
import { randomBytes, timingSafeEqual } from "node:crypto";

export interface DeskKeys {
  /** A token for a new link; no earlier one is valid any more. */
  makeToken: () => string;
  /** The value of a cookie, if the token is valid; it is then used up. */
  redeem: (token: string) => string | undefined;
  /** Whether a request's `Cookie` header has one of our cookies. */
  isKnown: (header: string | undefined) => boolean;
}

export const COOKIE = "ovld-desk";
/** How long a link can be opened. */
export const LINK_LIVES_MINUTES = 5;
const BYTES = 24;
/** How many browsers at a time; the oldest has to open a new link. */
const MOST_COOKIES = 16;

export function makeDeskKeys(now: () => number): DeskKeys {
  let unused: { token: string; made: number } | undefined;
  const cookies: string[] = [];
  return {
    makeToken() {
      unused = { token: makeSecret(), made: now() };
      return unused.token;
    },
    redeem(given) {
      if (unused === undefined || !isSame(given, unused.token)) return undefined;
      const age = now() - unused.made;
      unused = undefined;
      // A clock that was set back must not make a link live longer.
      if (age < 0 || age >= LINK_LIVES_MINUTES * 60_000) return undefined;
      const cookie = makeSecret();
      cookies.push(cookie);
      if (cookies.length > MOST_COOKIES) cookies.shift();
      return cookie;
    },
    isKnown(header = "") {
      const given = header.split(/;\s*/).filter((part) => part.startsWith(`${COOKIE}=`));
      return given.some((part) => cookies.some((cookie) => isSame(part.slice(COOKIE.length + 1), cookie)));
    },
  };
}

export function makeSecret(): string {
  return randomBytes(BYTES).toString("base64url");
}

function isSame(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
}
