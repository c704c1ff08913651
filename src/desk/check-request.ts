/**
 * Whether a request may reach the desk, and the keys that decide it.
 *
 * The desk listens on loopback, but any page in the person's browser can send requests there, and a name that an
 * attacker controls can be made to point there. So the name in `Host` must be a loopback name, a request that changes
 * something must come from the desk's own page (`Origin`), and everything but the link itself needs the cookie.
 */
import { randomBytes, timingSafeEqual } from "node:crypto";

export interface RequestFacts {
  method: string;
  /** As it was sent: path and query. */
  url: string;
  host: string | undefined;
  origin: string | undefined;
  /** What the browser says about where the request comes from. */
  site: string | undefined;
  contentType: string | undefined;
  contentLength: string | undefined;
  hasCookie: boolean;
}

const ROUTES = {
  "": "GET",
  open: "GET",
  "page.js": "GET",
  "page.css": "GET",
  events: "GET",
  journal: "GET",
  overview: "GET",
  message: "GET",
  screen: "GET",
  armies: "GET",
  answer: "POST",
  send: "POST",
  restart: "POST",
} as const;

export type Route = keyof typeof ROUTES;

export const REFUSALS = {
  "foreign-host": 421,
  "foreign-origin": 403,
  "no-cookie": 401,
  "no-such-page": 404,
  "wrong-method": 405,
  "no-length": 411,
  "too-large": 413,
  "not-json": 415,
} as const;

export type Refusal = keyof typeof REFUSALS;

/** A message of 64 KiB in which every character is escaped. */
export const MOST_BODY_BYTES = 512 * 1024;

const LOOPBACK = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/;

/** `prefix` is the desk's own first folder, which no other server on this machine knows. */
export function checkRequest(
  facts: RequestFacts,
  prefix: string,
): { route: Route; query: URLSearchParams } | { refusal: Refusal } {
  const { method, url, host = "", origin, site } = facts;
  if (!LOOPBACK.test(host)) return { refusal: "foreign-host" };
  const [, path = "", search = ""] = /^([^?]*)\??(.*)$/s.exec(url) ?? [];
  const name = path.startsWith(`/${prefix}/`) ? path.slice(prefix.length + 2) : undefined;
  if (name === undefined || !isRoute(name)) return { refusal: "no-such-page" };
  if (method !== ROUTES[name]) return { refusal: "wrong-method" };
  const found = { route: name, query: new URLSearchParams(search) };
  if (name === "open") return found;
  if (origin !== undefined && origin !== `http://${host}`) return { refusal: "foreign-origin" };
  if (site !== undefined && site !== "same-origin" && site !== "none") return { refusal: "foreign-origin" };
  if (!facts.hasCookie) return { refusal: "no-cookie" };
  return method === "POST" ? (refuseBody(facts) ?? found) : found;
}

function refuseBody({ origin, contentType, contentLength }: RequestFacts): { refusal: Refusal } | undefined {
  if (origin === undefined) return { refusal: "foreign-origin" };
  if (contentType !== "application/json") return { refusal: "not-json" };
  if (contentLength === undefined || !/^\d{1,15}$/.test(contentLength)) return { refusal: "no-length" };
  return Number(contentLength) > MOST_BODY_BYTES ? { refusal: "too-large" } : undefined;
}

function isRoute(name: string): name is Route {
  return Object.hasOwn(ROUTES, name);
}

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

/**
 * Who may use the desk: a browser that has opened its link. A link works once, for a few minutes, and becomes a cookie, so
 * that one that is left in a terminal, a history or a log is worth nothing. There is a new one only on request.
 */
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
