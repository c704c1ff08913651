/**
 * Whether a request may reach the desk. Pure.
 *
 * The desk listens on loopback, but any page in the person's browser can send requests there, and a name that an
 * attacker controls can be made to point there. So the name in `Host` must be a loopback name, a request that changes
 * something must come from the desk's own page (`Origin`), and everything but the link itself needs the cookie.
 */
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
  const [path = "", search = ""] = split(url, "?");
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

function split(text: string, mark: string): string[] {
  const at = text.indexOf(mark);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
