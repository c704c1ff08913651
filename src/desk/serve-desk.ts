/**
 * The desk's server: on loopback only, with bounds on everything that a client can send or keep open.
 *
 * Nothing of the army depends on it. It may be killed at any moment.
 */
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { json } from "node:stream/consumers";
import { hasErrorCode } from "../system/file-error.ts";
import { OvldError } from "../system/ovld-error.ts";
import { COOKIE, makeDeskKeys, makeSecret, REFUSALS, refusalOf, type Refusal } from "./check-request.ts";
import { formatForward, PAGE_POLICY } from "./page-html.ts";

export interface DeskCall {
  query: URLSearchParams;
  /** The parsed body of a POST; undefined if it is not JSON. */
  body: unknown;
}

/** Returns how to end it. */
type Subscribe = (send: (event: object) => void) => () => void;

/** Content, or server-sent events. */
export type Reply = { status?: number; type: string; text: string } | { subscribe: Subscribe };

export interface Route {
  method: "GET" | "POST";
  reply: (call: DeskCall) => Reply | Promise<Reply>;
}

export interface DeskSetup {
  /** Undefined for any free port. */
  port: number | undefined;
  /** By the last part of the address. */
  routes: Record<string, Route>;
  /** Plain sentences for people whose request is refused. */
  sentences: Record<Refusal, string>;
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

export async function serveDesk({ port, routes, sentences, onLinkUsed, now }: DeskSetup) {
  const keys = makeDeskKeys(now);
  // No other server on this machine knows this folder.
  const prefix = `/${makeSecret()}/`;
  const link = `${prefix}open`;
  let streams = 0;

  const refuse = (response: ServerResponse, refusal: Refusal): void => {
    if (response.headersSent) return void response.destroy();
    // What a refused client still sends is not read.
    response.setHeader("connection", "close");
    send(response, REFUSALS[refusal], "text/plain; charset=utf-8", `${sentences[refusal]}\n`);
  };
  const openLink = (request: IncomingMessage, response: ServerResponse, token: string): void => {
    const cookie = keys.redeem(token);
    if (cookie === undefined) return refuse(response, "used-link");
    trust(request.socket);
    response.setHeader("set-cookie", `${COOKIE}=${cookie}; Path=${prefix}; HttpOnly; SameSite=Strict`);
    send(response, 200, "text/html; charset=utf-8", formatForward("./"));
    onLinkUsed();
  };
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [path = "", ...rest] = (request.url ?? "").split("?");
    const query = new URLSearchParams(rest.join("?"));
    const name = path.startsWith(prefix) ? path.slice(prefix.length) : path;
    const route = path.startsWith(prefix) && Object.hasOwn(routes, name) ? routes[name] : undefined;
    const isLink = path === link;
    const hasCookie = keys.isKnown(request.headers.cookie);
    const refusal = refusalOf(request, isLink ? "GET" : route?.method, { isLink, hasCookie });
    if (refusal !== undefined) return refuse(response, refusal);
    if (route === undefined) return openLink(request, response, query.get("token") ?? "");
    trust(request.socket);
    const body = route.method === "POST" ? await json(request).catch(() => undefined) : undefined;
    const reply = await route.reply({ query, body });
    if ("text" in reply) return send(response, reply.status ?? 200, reply.type, reply.text);
    if (streams >= MOST_STREAMS) return refuse(response, "too-many");
    streams += 1;
    response.once("close", () => (streams -= 1));
    stream(response, reply.subscribe);
  };

  const limits = {
    maxHeaderSize: MOST_HEADER_BYTES,
    requestTimeout: REQUEST_WITHIN_MS,
    headersTimeout: REQUEST_WITHIN_MS,
    connectionsCheckingInterval: 1_000,
  };
  const server = createServer(limits, (request, response) => {
    response.setHeaders(new Map(Object.entries(HEADERS)));
    handle(request, response).catch(() => refuse(response, "failed"));
  });
  const trust = boundConnections(server, sentences["too-many"]);
  const address = `http://${HOST}:${await listen(server, port)}${link}`;
  return {
    /** A new address that opens the desk in one more browser. It works once, and replaces the one before. */
    newLink: () => `${address}?token=${keys.makeToken()}`,
    async close(): Promise<void> {
      const closed = once(server.close(), "close");
      server.closeAllConnections();
      await closed;
    },
  };
}

function send(response: ServerResponse, status: number, type: string, text: string): void {
  response.writeHead(status, { "content-type": type, "content-length": Buffer.byteLength(text) });
  response.end(text);
}

/** A reader that does not read is dropped: its browser comes back by itself, and then gets the present state. */
function stream(response: ServerResponse, subscribe: Subscribe): void {
  const write = (event: object): void => {
    if (response.writableLength > MOST_UNREAD_BYTES) response.destroy();
    else response.write(`data: ${JSON.stringify(event)}\n\n`);
  };
  // A page on another machine may have another clock.
  const beat = (): void => write({ event: "beat", now: Date.now() });
  response.writeHead(200, { "content-type": "text/event-stream" });
  beat();
  const timer = setInterval(beat, BEAT_EVERY_MS).unref();
  const end = subscribe(write);
  response.once("close", () => {
    clearInterval(timer);
    end();
  });
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

async function listen(server: Server, port = 0): Promise<number> {
  try {
    await once(server.listen(port, HOST), "listening");
  } catch (error) {
    const isTaken = port !== 0 && hasErrorCode(error, "EADDRINUSE", "EACCES");
    throw isTaken ? new OvldError({ code: "port-taken", facts: { port } }, error) : error;
  }
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}
