/**
 * Whether a request may reach the desk, and the keys that decide it.
 *
 * The desk listens on loopback, but any page in the person's browser can send requests there, and a name that an
 * attacker controls can be made to point there. So the name in `Host` must be a loopback name, a request that changes
 * something must come from the desk's own page (`Origin`), and everything but the link itself needs the cookie.
 */
import { randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

export const REFUSALS = {
  "foreign-host": 421,
  "foreign-origin": 403,
  "no-cookie": 401,
  "no-such-page": 404,
  "wrong-method": 405,
  "no-length": 411,
  "too-large": 413,
  "not-json": 415,
  "used-link": 403,
  "too-many": 503,
  failed: 500,
} as const;

export type Refusal = keyof typeof REFUSALS;

/** A message of 64 KiB in which every character is escaped. */
const MOST_BODY_BYTES = 512 * 1024;

const LOOPBACK = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/;

/** `wanted` is the method of the page, if there is such a page. The link itself needs no cookie. */
export function refusalOf(
  { method, headers }: IncomingMessage,
  wanted: string | undefined,
  { isLink, hasCookie }: { isLink: boolean; hasCookie: boolean },
): Refusal | undefined {
  const { host = "", origin, "sec-fetch-site": site = "none" } = headers;
  if (!LOOPBACK.test(host)) return "foreign-host";
  if (wanted === undefined) return "no-such-page";
  if (method !== wanted) return "wrong-method";
  if (isLink) return undefined;
  if (origin !== undefined && origin !== `http://${host}`) return "foreign-origin";
  if (site !== "same-origin" && site !== "none") return "foreign-origin";
  if (!hasCookie) return "no-cookie";
  if (method === "GET") return undefined;
  const { "content-type": type, "content-length": length = "" } = headers;
  if (origin === undefined) return "foreign-origin";
  if (type !== "application/json") return "not-json";
  if (!/^\d{1,15}$/.test(length)) return "no-length";
  return Number(length) > MOST_BODY_BYTES ? "too-large" : undefined;
}

export const COOKIE = "ovld-desk";
/** How long a link can be opened. */
export const LINK_LIVES_MINUTES = 5;
/** How many browsers at a time; the oldest has to open a new link. */
const MOST_COOKIES = 16;

/**
 * Who may use the desk: a browser that has opened its link. A link works once, for a few minutes, and becomes a cookie, so
 * that one that is left in a terminal, a history or a log is worth nothing. There is a new one only on request.
 */
export function makeDeskKeys(now: () => number) {
  let unused: { token: string; made: number } | undefined;
  const cookies: string[] = [];
  return {
    /** A token for a new link; no earlier one is valid any more. */
    makeToken(): string {
      unused = { token: makeSecret(), made: now() };
      return unused.token;
    },
    /** The value of a cookie, if the token is valid; it is then used up. */
    redeem(given: string): string | undefined {
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
    /** Whether a request's `Cookie` header has one of our cookies. */
    isKnown(header = ""): boolean {
      const given = header.split(/;\s*/).filter((part) => part.startsWith(`${COOKIE}=`));
      return given.some((part) => cookies.some((cookie) => isSame(part.slice(COOKIE.length + 1), cookie)));
    },
  };
}

export function makeSecret(): string {
  return randomBytes(24).toString("base64url");
}

function isSame(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
}
