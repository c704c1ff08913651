/**
 * One connection to the hub, which is made again whenever it breaks, and the questions that are asked over it.
 *
 * The client would keep what it is asked to send while it is disconnected, and perhaps send it later, when the caller
 * has long been told that nothing was stored. So callers look first (`up`), and send nothing while the link is down.
 */
import {
  connect,
  createInbox,
  headers as createHeaders,
  NoRespondersError,
  RequestError,
  type ConnectionOptions,
  type Msg,
  type MsgHdrs,
  type NatsConnection,
} from "@nats-io/transport-node";
import type { PeerCertificate } from "node:tls";
import * as z from "zod/mini";
import { lazily, pause, waitUntil } from "../../system/async.ts";
import { parseJson } from "../../system/json.ts";
import { OvldError, type ErrorReport } from "../../system/ovld-error.ts";
import { readSeed } from "../nkey.ts";
import { tryTo } from "../../system/file-error.ts";

export interface LinkOptions {
  servers: string[];
  ca?: string | undefined;
  seed: string;
  /** What the server's operator has signed about this key, if the server does not know the key itself. */
  jwt?: string | undefined;
  /** Shown in the server's own lists. */
  name: string;
}

export type Link = ReturnType<typeof openLink>;

/** How often a relay looks for what news may have been lost, or has no news at all. */
export const LOOK_EVERY_MS = 1_000;

const GREET_MS = 1_000;
const RETRY_FIRST_MS = 100;
const RETRY_MOST_MS = 500;
/** A new connection has to prove who is at its other end, which takes a while on a busy machine. */
const FIRST_TRY_MS = 1_000;
/** Servers of a cluster that are choosing a leader are silent for some seconds, and none of them is better then. */
const MOVE_ON_EVERY_MS = 6_000;
const REFUSAL = /authorization violation|authentication (expired|revoked)/i;
/** A server that reads its configuration, twice for each change, refuses whoever is just connecting. */
const REFUSED_AFTER = 3;
/** A link on which nothing arrives any more is given up after two or three of these. */
const PING_MS = 3_000;

export function openLink({ servers, ca, seed, jwt, name }: LinkOptions) {
  const stop = new AbortController();
  const firstTry = new AbortController();
  const listeners: (() => void)[] = [];
  const key = readSeed(seed);
  let connection: NatsConnection | undefined;
  let down: { since: number; why: string; isRefused: boolean } | undefined = {
    since: Date.now(),
    why: "not connected yet",
    isRefused: false,
  };
  let refusals = 0;
  /** The server that is tried first. */
  let first = 0;
  let movedAt = performance.now();

  const connectTo = async (server: string): Promise<NatsConnection> => {
    const tls = tlsFor(server, ca);
    await requireGreeting(server);
    return connect({
      servers: server,
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
      ...tls,
    });
  };

  /** The servers are tried one after the other, because a cluster may have lost one. */
  const dial = async (): Promise<NatsConnection> => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await connectTo(servers[first] ?? "");
      } catch (error) {
        first = (first + 1) % servers.length;
        if (tries >= servers.length) throw error;
      }
    }
  };

  const noteDown = (error: unknown): void => {
    const why = error instanceof Error ? error.message : "the connection was closed";
    refusals = REFUSAL.test(why) ? refusals + 1 : 0;
    const isRefused = refusals >= REFUSED_AFTER;
    down = { since: down?.since ?? Date.now(), why, isRefused };
    if (refusals === 0 || isRefused) firstTry.abort();
  };

  const keepUp = async (): Promise<void> => {
    let wait = RETRY_FIRST_MS;
    while (!stop.signal.aborted) {
      try {
        const made = await dial();
        if (stop.signal.aborted) return void made.close();
        [connection, down, wait, refusals] = [made, undefined, RETRY_FIRST_MS, 0];
        for (const listener of listeners) listener();
        firstTry.abort();
        const error = await made.closed();
        connection = undefined;
        noteDown(error);
      } catch (error) {
        noteDown(error);
      }
      await pause(wait, stop.signal);
      wait = Math.min(wait * 2, RETRY_MOST_MS);
    }
  };
  const ended = keepUp();
  const onUp = (listener: () => void) => void listeners.push(listener);
  const up = () => (connection?.isClosed() === false ? connection : undefined);

  return {
    up,
    /** The connection, once there is one. */
    async whenUp(withinMs: number): Promise<NatsConnection | undefined> {
      await waitUntil(() => up() !== undefined, { everyMs: 10, withinMs, stop: stop.signal });
      return up();
    },
    /** Waits until the server has accepted the key, or does not accept it. */
    whenAnswered: (withinMs: number) =>
      waitUntil(() => up() !== undefined || down?.isRefused === true, {
        everyMs: 10,
        withinMs,
        stop: stop.signal,
      }),
    /**
     * Resolves when the first attempt has ended, well or not, or takes long: a process that has just started has no
     * connection yet, and need not be told that there is none.
     */
    tried: pause(FIRST_TRY_MS, firstTry.signal),
    /** Since when there is no connection, and why: if it is refused, the key is unknown. Undefined if there is one. */
    down: () => down,
    /** The server answers nothing: the next connection is tried with another one, if there is another. */
    moveOn(): void {
      if (servers.length === 1 || connection === undefined) return;
      if (performance.now() - movedAt < MOVE_ON_EVERY_MS) return;
      movedAt = performance.now();
      first = (first + 1) % servers.length;
      void connection.close();
    },
    onUp,
    /** Calls back with each message, and without one whenever a connection has been made: some may have been missed. */
    listen(subject: string, onNews: (message?: Msg) => void): void {
      onUp(() => {
        connection?.subscribe(subject, { callback: (_error, message) => onNews(message) });
        onNews();
      });
    },
    close,
    [Symbol.asyncDispose]: close,
  };

  async function close(): Promise<void> {
    stop.abort();
    await connection?.close();
    await ended;
  }
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

/**
 * Throws unless a NATS server greets at an address. The client itself, if nobody greets it, gives up but leaves its
 * socket open, and a link that is cut silently would collect such sockets.
 */
async function requireGreeting(address: string): Promise<void> {
  const late = AbortSignal.timeout(GREET_MS);
  // Loaded only when needed.
  const net = process.getBuiltinModule("node:net");
  const socket = net.connect({ ...splitAddress(address), signal: late });
  try {
    for await (const greeting of socket.setEncoding("latin1")) {
      if (String(greeting).startsWith("INFO ")) return;
      throw new Error(`${address} is not a NATS server`);
    }
  } catch (error) {
    throw late.aborted ? new Error(`${address} does not answer`) : error;
  } finally {
    socket.destroy();
  }
  throw new Error(`${address} closed the connection`);
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

/** What a caller is told if the hub has not done what it was asked. */
export function describeSilence(
  link: Link,
  { servers, machine }: { servers: string[]; machine: string },
  reason: string,
): ErrorReport {
  const { why = reason, isRefused = false } = link.down() ?? {};
  if (isRefused) return { code: "hub-refused", facts: { servers, machine } };
  return { code: "hub-unreachable", facts: { servers, reason: why } };
}

export function unreachable(link: Link, reason = "the hub is silent"): OvldError {
  return new OvldError({
    code: "hub-unreachable",
    facts: { servers: [], reason: link.down()?.why ?? reason },
  });
}

/** Why there is no answer. Only `no-responders` says that nobody has got the question. */
type Silence = { silence: "down" | "no-responders" | "timeout" };

export interface HubQuestion {
  data?: string | Uint8Array;
  headers?: Record<string, string>;
  withinMs: number;
}

export async function askHub(
  link: Link,
  subject: string,
  { data = "", headers, withinMs }: HubQuestion,
): Promise<{ message: Msg } | Silence> {
  const connection = link.up();
  if (connection === undefined) return { silence: "down" };
  const options = { timeout: withinMs, ...(headers && { headers: headersOf(headers) }) };
  try {
    return { message: await connection.request(subject, data, options) };
  } catch (error) {
    const nobody =
      error instanceof NoRespondersError || (error instanceof RequestError && error.isNoResponders());
    return { silence: nobody ? "no-responders" : "timeout" };
  }
}

export function headersOf(pairs: Record<string, string>): MsgHdrs {
  const made = createHeaders();
  for (const [name, value] of Object.entries(pairs)) made.set(name, value);
  return made;
}

const confirmation = lazily(() =>
  z.union([
    // An error comes with the number 0.
    z.object({ error: z.object({ err_code: z.int(), description: z.string() }) }),
    z.object({ seq: z.int().check(z.positive()) }),
  ]),
);

/** What is known about a message that was to be stored: its number, or that the server has refused it. */
export type Stored = { sequence: number } | { refused: { code: number; reason: string } } | Silence;

/** Hands the server something to store; an answer that is no confirmation says as little as none. */
export async function store(link: Link, subject: string, question: HubQuestion): Promise<Stored> {
  const got = await askHub(link, subject, question);
  if ("silence" in got) return got;
  const answer = confirmation().safeParse(parseJson(got.message.string())).data;
  if (answer === undefined) return { silence: "timeout" };
  if ("seq" in answer) return { sequence: answer.seq };
  return { refused: { code: answer.error.err_code, reason: answer.error.description } };
}

export interface StreamMessage {
  sequence: number;
  subject: string;
  text: string;
  /** As its sender has set it. */
  header: (name: string) => string | undefined;
  /** The server itself has made it, from something that was stored. */
  isCopy: boolean;
}

export const SEQUENCE_HEADER = "Nats-Sequence";
const SUBJECT_HEADER = "Nats-Subject";
const STREAM_HEADER = "Nats-Stream";
/** The number of the message before. */
const BEFORE_HEADER = "Nats-Last-Sequence";

/**
 * Asks a stream for several messages, which come in the order of their numbers. Throws if the server is silent before it
 * has said that this is all.
 */
export async function readStream(link: Link, subject: string, request: object): Promise<StreamMessage[]> {
  const connection = link.up();
  if (connection === undefined) throw unreachable(link, "not connected");
  const reply = createInbox();
  const subscription = connection.subscribe(reply);
  const late = setTimeout(() => subscription.unsubscribe(), SILENT_AFTER_MS);
  const found: StreamMessage[] = [];
  try {
    connection.publish(subject, JSON.stringify(request), { reply });
    for await (const message of subscription) {
      late.refresh();
      const headers = decodeHeaders(message);
      // What cannot be decoded has no number of its own, but the next one names it.
      const before = found.at(-1);
      if (before?.sequence === 0 && headers) before.sequence = Number(headers.last(BEFORE_HEADER));
      const isStored = headers === undefined || headers.has(SEQUENCE_HEADER);
      if (isStored) found.push(readMessage(message, headers));
      else if (headers.code === NO_RESPONDERS) break;
      else return found.filter(({ sequence }) => sequence > 0);
    }
  } finally {
    clearTimeout(late);
    subscription.unsubscribe();
  }
  throw unreachable(link);
}

/** Without another message, and without the line that says that this is all. */
const SILENT_AFTER_MS = 1_500;
const NO_RESPONDERS = 503;

/** Undefined if they are not headers: another machine may send anything. */
export function decodeHeaders(message: Msg): MsgHdrs | undefined {
  return tryTo(() => message.headers ?? createHeaders());
}

/** The server adds its own headers behind those of the sender, who may have set the same ones. */
function readMessage(message: Msg, headers: MsgHdrs | undefined): StreamMessage {
  return {
    sequence: Number(headers?.last(SEQUENCE_HEADER) ?? 0),
    subject: headers?.last(SUBJECT_HEADER) ?? "",
    text: message.string(),
    header: (name) => headers?.get(name) || undefined,
    isCopy: (headers?.values(STREAM_HEADER).length ?? 0) > 1,
  };
}
