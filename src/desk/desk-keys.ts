/**
 * Who may use the desk: a browser that has opened its link. A link works once and becomes a cookie, so that one that is left
 * in a history or a log is worth nothing. Each use makes a new link, for another browser.
 */
import { randomBytes, timingSafeEqual } from "node:crypto";

export interface DeskKeys {
  /** The token of the link that has not been used. */
  token: () => string;
  /** The value of a cookie, if the token is the right one; it is then used up. */
  redeem: (token: string) => string | undefined;
  /** Whether a request's `Cookie` header has one of our cookies. */
  isKnown: (header: string | undefined) => boolean;
}

export const COOKIE = "ovld-desk";
const BYTES = 24;
/** How many browsers at a time; the oldest has to open a new link. */
const MOST_COOKIES = 16;

export function makeDeskKeys(): DeskKeys {
  let token = makeSecret();
  const cookies: string[] = [];
  return {
    token: () => token,
    redeem(given) {
      if (!isSame(given, token)) return undefined;
      token = makeSecret();
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
