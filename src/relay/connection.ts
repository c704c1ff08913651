/** Serves one connection: reads requests and writes answers until the client leaves or the relay is asked to end. */
import { once } from "node:events";
import type { Writable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import type { AnswerDelivery, Fate } from "./answer-delivery.ts";
import { createReader, isRequestId, type Notification, type Request, type RequestId } from "./json-rpc.ts";
import { answerCall, type CallOutcome, type ToolServer } from "./protocol.ts";

export interface Connection {
  input: AsyncIterable<Buffer>;
  output: Writable;
  server: ToolServer;
  delivery: AnswerDelivery;
  complain: (sentence: string) => void;
}

interface Work {
  done: Promise<void>;
  /** What the answer's tool waits for, if it does. */
  fate?: Fate;
  onDropped: ((why: "cancelled" | "gone") => void)[];
  /** The client will discard the answer. */
  cancelled: boolean;
  /** Forgotten with the client's next request. */
  isOld: boolean;
}

/**
 * How long a client may still cancel an answer whose tool wants to know: a person's answer crosses another in the pane.
 * A client that was suspended cancels later, but before it sends anything else.
 */
const LATE_CANCELLATION_MS = 1_000;

/** How long a client that has closed its side waits for answers in progress. */
const LAST_ANSWERS_MS = 500;

/** Unread answers pile up in memory. Above this limit, no more requests are read. */
const MOST_UNSENT_BYTES = 4 * 1024 * 1024;

/**
 * One piece of input may have hundreds of small requests, each with a large answer. So only a few begin in one turn of
 * the event loop, and the next ones when the size of their answers is known.
 */
const MOST_PER_TURN = 16;

/** Whether the client has only closed its side, or no longer reads: then answers may have been left unread. */
export type Leaving = "closed" | "stopped-reading";

/** Resolves when the client is gone and every answer that was possible has been written. */
export function serve(connection: Connection): Promise<Leaving> {
  const { input, output, delivery, complain } = connection;
  const atWork = new Map<RequestId, Work>();
  return new Promise((resolve) => {
    output.on("error", () => resolve("stopped-reading"));
    // A broken input is a closed one.
    void readAll()
      .catch(() => {})
      .then(() => resolve("closed"));
  });

  async function readAll(): Promise<void> {
    const read = createReader();
    let requests = 0;
    for await (const piece of input) {
      for (const { complaint, refusal, notification, request } of read(piece)) {
        if (complaint !== undefined) complain(complaint);
        if (refusal) void write(output, refusal);
        if (notification) hear(notification, atWork, delivery);
        if (request === undefined) continue;
        requests += 1;
        if (requests % MOST_PER_TURN === 0) await setImmediate();
        if (output.writableLength > MOST_UNSENT_BYTES) await once(output, "drain");
        begin(connection, request, atWork);
      }
    }
    for (const work of atWork.values()) drop(work, "gone");
    const lastAnswers = Promise.all([...atWork.values()].map(({ done }) => done));
    await Promise.race([lastAnswers, new Promise((done) => void setTimeout(done, LAST_ANSWERS_MS).unref())]);
  }
}

function begin(connection: Connection, request: Request, atWork: Map<RequestId, Work>): void {
  connection.delivery.heard();
  for (const [id, { isOld }] of atWork) if (isOld) atWork.delete(id);
  const work: Work = { done: Promise.resolve(), onDropped: [], cancelled: false, isOld: false };
  atWork.set(request.id, work);
  work.done = answer(connection, request, work).finally(() => {
    if (work.onDropped.length > 0) setTimeout(() => (work.isOld = true), LATE_CANCELLATION_MS).unref();
    else if (atWork.get(request.id) === work) atWork.delete(request.id);
  });
}

async function answer(connection: Connection, request: Request, work: Work): Promise<void> {
  const { server, output, delivery, complain } = connection;
  let outcome: CallOutcome;
  try {
    outcome = await answerCall(server, request, {
      awaitArrival: (fate) => void (work.fate = fate),
      onDropped: (action) => void work.onDropped.push(action),
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    complain(`could not answer ${request.method}: ${reason}`);
    outcome = { error: { code: -32603, message: `Internal error: ${reason}` } };
  }
  // The client would discard the answer, so it is not sent.
  if (work.cancelled) return;
  const isWritten = await write(output, { id: request.id, ...outcome });
  // The client may also cancel while a large answer is being written.
  if (isWritten && !work.cancelled && work.fate) delivery.written(request.id, work.fate);
}

/** False if the client is no longer there to read it. */
function write(output: Writable, content: object): Promise<boolean> {
  const line = `${JSON.stringify({ jsonrpc: "2.0", ...content })}\n`;
  return new Promise((resolve) => output.write(line, (error) => resolve(!error)));
}

function hear(
  { method, params }: Notification,
  atWork: Map<RequestId, Work>,
  delivery: AnswerDelivery,
): void {
  if (method !== "notifications/cancelled") return;
  if (typeof params !== "object" || params === null || !("requestId" in params)) return;
  const { requestId } = params;
  if (!isRequestId(requestId)) return;
  const work = atWork.get(requestId);
  if (!work) return delivery.cancelled(requestId);
  work.cancelled = true;
  drop(work, "cancelled");
}

function drop({ onDropped }: Work, why: "cancelled" | "gone"): void {
  for (const action of onDropped) action(why);
}
