/**
 * The desk's server: on loopback only, with bounds on everything that a client can send or keep open.
 *
 * Nothing of the army depends on it. It may be killed at any moment.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { OvldError } from "../system/ovld-error.ts";
import { hasErrorCode } from "../system/file-error.ts";
import {
  checkRequest,
  MOST_BODY_BYTES,
  REFUSALS,
  type Refusal,
  type Route,
  COOKIE,
  makeDeskKeys,
  makeSecret,
  type DeskKeys,
} from "./check-request.ts";
import { PAGE_POLICY, formatForward } from "./page-html.ts";

export interface Desk {
  /** A new address that opens the desk in one more browser. It works once, and replaces the one before. */
  newLink: () => string;
  close: () => Promise<void>;
}

export interface DeskCall {
  query: URLSearchParams;
  /** The parsed body of a request that changes something. */
  body: unknown;
}

/** Content, or server-sent events: `subscribe` returns how to end that. */
export type Reply =
  | { status?: number; type: string; text: string }
  | { subscribe: (send: (event: object) => void) => () => void };

type ServedRoute = Exclude<Route, "open">;

export interface DeskSetup {
  /** Undefined for any free port. */
  port: number | undefined;
  routes: Record<ServedRoute, (call: DeskCall) => Reply | Promise<Reply>>;
  /** Plain sentences for people whose request is refused. */
  sentences: Record<Refusal | "used-link" | "too-many" | "failed", string>;
  onLinkUsed: () => void;
  now: () => number;
}

const HOST = "127.0.0.1";
const MOST_CONNECTIONS = 128;
const MOST_HEADER_BYTES = 16 * 1024;
const REQUEST_WITHIN_MS = 15_000;
const MOST_STREAMS = 32;
/** Several times the state of an army with large requests. */
const MOST_UNREAD_BYTES = 32 * 1024 * 1024;
/** Lets the page notice that it has been cut off, for example because the machine slept. */
const BEAT_EVERY_MS = 10_000;
const HEADERS = {
  "content-security-policy": PAGE_POLICY,
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
};

export async function serveDesk(setup: DeskSetup): Promise<Desk> {
  const keys = makeDeskKeys(setup.now);
  const prefix = makeSecret();
  const streams = new Set<ServerResponse>();
  const server = createServer(
    {
      maxHeaderSize: MOST_HEADER_BYTES,
      requestTimeout: REQUEST_WITHIN_MS,
      headersTimeout: REQUEST_WITHIN_MS,
      connectionsCheckingInterval: 1_000,
    },
    (request, response) => {
      for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
      handle(setup, { keys, prefix, trust, streams }, request, response).catch(() => {
        refuse(response, 500, setup.sentences.failed);
      });
    },
  );
  const trust = boundConnections(server, setup.sentences["too-many"]);
  const port = await listen(server, setup.port);
  return {
    newLink: () => `http://${HOST}:${port}/${prefix}/open?token=${keys.makeToken()}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Serving {
  keys: DeskKeys;
  prefix: string;
  trust: (socket: Socket) => void;
  streams: Set<ServerResponse>;
}

async function handle(
  { routes, sentences, onLinkUsed }: DeskSetup,
  { keys, prefix, trust, streams }: Serving,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { headers } = request;
  const checked = checkRequest(
    {
      method: request.method ?? "",
      url: request.url ?? "",
      host: headers.host,
      origin: headers.origin,
      site: one(headers["sec-fetch-site"]),
      contentType: headers["content-type"],
      contentLength: headers["content-length"],
      hasCookie: keys.isKnown(headers.cookie),
    },
    prefix,
  );
  if ("refusal" in checked) {
    // What a refused client still sends is not read.
    response.setHeader("connection", "close");
    return refuse(response, REFUSALS[checked.refusal], sentences[checked.refusal]);
  }
  const { route, query } = checked;
  if (route === "open") {
    const cookie = keys.redeem(query.get("token") ?? "");
    if (cookie === undefined) return refuse(response, 403, sentences["used-link"]);
    trust(request.socket);
    response.setHeader("set-cookie", `${COOKIE}=${cookie}; Path=/${prefix}/; HttpOnly; SameSite=Strict`);
    send(response, 200, "text/html; charset=utf-8", formatForward("./"));
    return onLinkUsed();
  }
  trust(request.socket);
  const body = request.method === "POST" ? await readJson(request) : undefined;
  const reply = await routes[route]({ query, body });
  if (!("subscribe" in reply)) return send(response, reply.status ?? 200, reply.type, reply.text);
  if (streams.size >= MOST_STREAMS) return refuse(response, 503, sentences["too-many"]);
  streams.add(response);
  const end = stream(response, reply.subscribe);
  response.once("close", () => {
    streams.delete(response);
    end();
  });
}

/** A reader that does not read is dropped: its browser comes back by itself, and then gets the present state. */
function stream(
  response: ServerResponse,
  subscribe: Extract<Reply, { subscribe: unknown }>["subscribe"],
): () => void {
  const write = (event: object): void => {
    if (response.writableLength > MOST_UNREAD_BYTES) response.destroy();
    else response.write(`data: ${JSON.stringify(event)}\n\n`);
  };
  // A page on another machine may have another clock.
  const beat = (): void => write({ event: "beat", now: Date.now() });
  response.writeHead(200, { "content-type": "text/event-stream" });
  beat();
  const timer = setInterval(beat, BEAT_EVERY_MS);
  timer.unref();
  const end = subscribe(write);
  return () => {
    clearInterval(timer);
    end();
  };
}

function send(response: ServerResponse, status: number, type: string, text: string): void {
  response.writeHead(status, { "content-type": type, "content-length": Buffer.byteLength(text) });
  response.end(text);
}

function refuse(response: ServerResponse, status: number, sentence: string): void {
  if (response.headersSent) response.destroy();
  else send(response, status, "text/plain; charset=utf-8", `${sentence}\n`);
}

function one(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}

/** Undefined if it is not JSON. */
async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    const part = Buffer.from(chunk);
    chunks.push(part);
    bytes += part.length;
    if (bytes > MOST_BODY_BYTES) return undefined;
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch {
    return undefined;
  }
}

/**
 * A connection too many takes the place of the oldest one that has shown neither a cookie nor a link: every user of this
 * machine can open such ones. If there is none, it is told so, and closed. Returns what marks a connection as the person's.
 */
function boundConnections(server: Server, sentence: string): (socket: Socket) => void {
  const strangers = new Set<Socket>();
  const trusted = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    const [oldest] = strangers;
    if (trusted.size >= MOST_CONNECTIONS) {
      const head =
        "HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Type: text/plain; charset=utf-8";
      socket.on("error", () => {});
      socket.end(`${head}\r\nContent-Length: ${Buffer.byteLength(sentence) + 1}\r\n\r\n${sentence}\n`);
      socket.destroySoon();
      return;
    }
    if (oldest !== undefined && strangers.size + trusted.size >= MOST_CONNECTIONS) {
      strangers.delete(oldest);
      oldest.destroy();
    }
    strangers.add(socket);
    socket.once("close", () => strangers.delete(socket) || trusted.delete(socket));
  });
  return (socket) => {
    if (strangers.delete(socket)) trusted.add(socket);
  };
}

function listen(server: Server, port: number | undefined): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => {
      const isTaken = port !== undefined && hasErrorCode(error, "EADDRINUSE", "EACCES");
      reject(isTaken ? new OvldError({ code: "port-taken", facts: { port } }, error) : error);
    });
    server.listen(port ?? 0, HOST, () => {
      const address: AddressInfo | string | null = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : 0);
    });
  });
}
