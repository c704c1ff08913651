/**
 * One connection to the hub, which is made again whenever it breaks.
 *
 * The client would keep what it is asked to send while it is disconnected, and perhaps send it later, when the caller
 * has long been told that nothing was stored. So callers look first (`up`), and send nothing while the link is down.
 */
import {
  connect,
  headers as createHeaders,
  NoRespondersError,
  RequestError,
  type ConnectionOptions,
  type Msg,
  type MsgHdrs,
  type NatsConnection,
} from "@nats-io/transport-node";
import type { PeerCertificate } from "node:tls";
import { pause } from "../../system/async.ts";
import { readSeed } from "../nkey.ts";

export interface LinkOptions {
  servers: string[];
  ca?: string | undefined;
  seed: string;
  /** What the server's operator has signed about this key, if the server does not know the key itself. */
  jwt?: string | undefined;
  /** Shown in the server's own lists. */
  name: string;
}

export interface Link {
  /** The connection; undefined while there is none. */
  up(): NatsConnection | undefined;
  /** The same, but waits for it. */
  whenUp(withinMs: number): Promise<NatsConnection | undefined>;
  /** Resolves when the first attempt has ended, well or not. */
  tried: Promise<void>;
  /** Since when there is no connection, and why; undefined if there is one. */
  down(): { since: number; why: string; isRefused: boolean } | undefined;
  /** The server answers nothing: the next connection is tried with another one, if there is another. */
  moveOn(): void;
  /** Calls back whenever a connection has been made. */
  onUp(listener: () => void): void;
  close(): Promise<void>;
}

const GREET_MS = 1_000;
const RETRY_FIRST_MS = 100;
const RETRY_MOST_MS = 500;
/** A new connection has to prove who is at its other end, which takes a while on a busy machine. */
const FIRST_TRY_MS = 1_000;
/** Servers of a cluster that are choosing a leader are silent for some seconds, and none of them is better then. */
const MOVE_ON_EVERY_MS = 6_000;
/** A link on which nothing arrives any more is given up after two or three of these. */
const PING_MS = 3_000;

export function openLink({ servers, ca, seed, jwt, name }: LinkOptions): Link {
  const stop = new AbortController();
  const listeners = new Set<() => void>();
  let connection: NatsConnection | undefined;
  let down: ReturnType<Link["down"]> = { since: Date.now(), why: "not connected yet", isRefused: false };
  const key = readSeed(seed);
  let endFirstTry: () => void;
  const tried = new Promise<void>((resolve) => (endFirstTry = resolve));

  /** The server that is tried first. */
  let first = 0;
  let movedAt = performance.now();

  const dial = async (): Promise<NatsConnection> => {
    const tls = new Map(servers.map((server) => [server, tlsFor(server, ca)]));
    const found = await firstThatGreets([...servers.slice(first), ...servers.slice(0, first)]);
    first = servers.indexOf(found);
    return connect({
      servers: found,
      name,
      authenticator: (nonce) => {
        const sig = key?.sign(nonce ?? "") ?? "";
        return jwt === undefined ? { nkey: key?.public ?? "", sig } : { jwt, sig };
      },
      // Each break is noticed here, and the next connection is made here: see above.
      reconnect: false,
      timeout: 2_000,
      pingInterval: PING_MS,
      maxPingOut: 2,
      ...tls.get(found),
    });
  };

  const keepUp = async (): Promise<void> => {
    let wait = RETRY_FIRST_MS;
    while (!stop.signal.aborted) {
      try {
        const made = await dial();
        if (stop.signal.aborted) return void made.close();
        [connection, down, wait] = [made, undefined, RETRY_FIRST_MS];
        for (const listener of listeners) listener();
        endFirstTry();
        const error = await made.closed();
        connection = undefined;
        down = { since: Date.now(), ...explain(error) };
      } catch (error) {
        down = { since: down?.since ?? Date.now(), ...explain(error) };
        endFirstTry();
      }
      await pause(wait, stop.signal);
      wait = Math.min(wait * 2, RETRY_MOST_MS);
    }
  };
  const ended = keepUp();

  return {
    up: () => (connection?.isClosed() === false ? connection : undefined),
    whenUp(withinMs) {
      if (connection?.isClosed() === false) return Promise.resolve(connection);
      return new Promise((resolve) => {
        const settle = (): void => {
          clearTimeout(late);
          listeners.delete(settle);
          resolve(connection);
        };
        const late = setTimeout(settle, withinMs);
        listeners.add(settle);
      });
    },
    tried,
    moveOn() {
      if (servers.length === 1 || connection === undefined) return;
      if (performance.now() - movedAt < MOVE_ON_EVERY_MS) return;
      movedAt = performance.now();
      first = (first + 1) % servers.length;
      void connection.close();
    },
    down: () => down,
    onUp: (listener) => void listeners.add(listener),
    async close() {
      stop.abort();
      await connection?.close();
      await ended;
    },
  };
}

/**
 * With TLS the server proves that it is the hub, by a certificate for the address that was dialled: the client itself
 * would check one for an IP address as if it were for localhost. A server that offers no TLS is refused then.
 */
function tlsFor(server: string, ca: string | undefined): Pick<ConnectionOptions, "tls"> {
  const { host } = splitAddress(server);
  if (ca === undefined && !server.startsWith("tls://")) {
    if (isLoopback(host)) return {};
    throw new Error(
      `${server} is on another machine, and without TLS anybody on the way could pretend to be it`,
    );
  }
  // Loaded only when needed.
  const { checkServerIdentity } = process.getBuiltinModule("node:tls");
  const check = (_name: string, certificate: PeerCertificate) => checkServerIdentity(host, certificate);
  const tls = { checkServerIdentity: check, ...(ca !== undefined && { ca }) };
  return { tls };
}

/** A process that has just started has no connection yet, and need not be told that there is none. */
export async function firstTry(link: Link): Promise<void> {
  const late = new AbortController();
  await Promise.race([link.tried, pause(FIRST_TRY_MS, late.signal)]);
  late.abort();
}

/** Asked one after the other, because a cluster may have lost one. */
async function firstThatGreets(servers: string[]): Promise<string> {
  let problem = "";
  for (const server of servers) {
    const why = await findGreeting(server, GREET_MS);
    if (why === undefined) return server;
    problem = why;
  }
  throw new Error(problem);
}

/** What came back: an answer, or why there is none. Only `no-responders` says that nobody has got the question. */
export type Answer = { message: Msg } | { silence: "down" | "no-responders" | "timeout" };

export interface Question {
  data?: string | Uint8Array;
  headers?: Record<string, string>;
  withinMs: number;
}

export async function ask(link: Link, subject: string, question: Question): Promise<Answer> {
  const { data, headers, withinMs } = question;
  const connection = link.up();
  if (connection === undefined) return { silence: "down" };
  const options = { timeout: withinMs, ...(headers && { headers: headersOf(headers) }) };
  try {
    return { message: await connection.request(subject, data ?? "", options) };
  } catch (error) {
    const nobody =
      error instanceof NoRespondersError || (error instanceof RequestError && error.isNoResponders());
    return { silence: nobody ? "no-responders" : "timeout" };
  }
}

function headersOf(pairs: Record<string, string>): MsgHdrs {
  const made = createHeaders();
  for (const [name, value] of Object.entries(pairs)) made.set(name, value);
  return made;
}

function explain(error: unknown): { why: string; isRefused: boolean } {
  const why = error instanceof Error ? error.message : "the connection was closed";
  return { why, isRefused: /authorization violation|authentication (expired|revoked)/i.test(why) };
}

/**
 * Whether a NATS server greets at an address. The client itself, if nobody greets it, gives up but leaves its socket
 * open, and a link that is cut silently would collect such sockets.
 */
const GREETING = "INFO ";

/** Undefined if it greets, otherwise why not. */
function findGreeting(address: string, withinMs: number): Promise<string | undefined> {
  const { host, port } = splitAddress(address);
  return new Promise((resolve) => {
    // Loaded only when needed.
    const net = process.getBuiltinModule("node:net");
    const socket = net.connect(port, host);
    const end = (problem: string | undefined): void => {
      clearTimeout(late);
      socket.destroy();
      resolve(problem);
    };
    const late = setTimeout(() => end(`${address} does not answer`), withinMs);
    let seen = "";
    socket.setEncoding("latin1").on("data", (text: string) => {
      seen += text;
      if (seen.length >= GREETING.length) {
        end(seen.startsWith(GREETING) ? undefined : `${address} is not a NATS server`);
      }
    });
    socket.once("error", (error) => end(error.message));
    socket.once("close", () => end(`${address} closed the connection`));
  });
}

/** Nobody on another machine can listen there. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);
}

export function splitAddress(address: string): { host: string; port: number } {
  const plain = address.replace(/^[a-z]+:\/\//, "");
  const [, host = plain, port = "4222"] = /^(.*?)(?::(\d+))?$/.exec(plain) ?? [];
  return { host: host.replaceAll(/^\[|\]$/g, ""), port: Number(port) };
}
