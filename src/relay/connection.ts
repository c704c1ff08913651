/** Serves one connection: reads requests and writes answers until the client leaves or the relay is asked to end. */
import type { Readable, Writable } from "node:stream";
import type { AnswerDelivery, Fate } from "./answer-delivery.ts";
import {
  INVALID_REQUEST,
  isRequestId,
  parseLine,
  refuseTooLong,
  splitLines,
  type Incoming,
  type Notification,
  type Refusal,
  type Request,
  type RequestId,
} from "./json-rpc.ts";
import { answerRequest, type Call, type ToolServer } from "./protocol.ts";

export interface Connection {
  input: Readable;
  output: Writable;
  server: ToolServer;
  delivery: AnswerDelivery;
  complain: (sentence: string) => void;
}

interface Work {
  done: Promise<void>;
  /** What the answer's tool waits for, if it does. */
  fate: Fate | undefined;
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

/** Whether the client has only closed its side, or no longer reads: then answers may have been left unread. */
export type Leaving = "closed" | "stopped-reading";

/** Resolves when the client is gone and every answer that was possible has been written. */
export function serve(connection: Connection): Promise<Leaving> {
  const { input, output, delivery, complain } = connection;
  const atWork = new Map<RequestId, Work>();
  const pace = paceInput(connection);
  const take = (incoming: Incoming): void => {
    if ("garbage" in incoming) complain(`ignored ${incoming.garbage}`);
    else if ("refusal" in incoming) refuse(connection, incoming.refusal);
    else if ("notification" in incoming) hear(incoming.notification, atWork, delivery);
    else if ("request" in incoming) begin(connection, incoming.request, atWork);
  };
  splitLines(input, {
    tooLong(head, tail) {
      complain("refused a line that is too long");
      const refusal = refuseTooLong(head, tail);
      pace.add({ isRequest: false, run: () => take({ refusal }) });
    },
    line(text) {
      const incoming = parseLine(text);
      pace.add({ isRequest: "request" in incoming, run: () => take(incoming) });
    },
  });
  output.on("drain", () => pace.goOn());
  return new Promise((resolve) => {
    output.on("error", () => resolve("stopped-reading"));
    input.on("error", () => resolve("closed"));
    input.on("end", () => {
      for (const work of atWork.values()) drop(work, "gone");
      setTimeout(() => resolve("closed"), LAST_ANSWERS_MS).unref();
      void Promise.all([...atWork.values()].map(({ done }) => done)).then(() => resolve("closed"));
    });
  });
}

/** Unread answers pile up in memory. Above this limit, no more requests are read. */
const MOST_UNSENT_BYTES = 4 * 1024 * 1024;

function refuse(connection: Connection, { id, message }: Refusal): void {
  void writeOut(connection, formatAnswer({ id, error: { code: INVALID_REQUEST, message } }));
}

function begin(connection: Connection, request: Request, atWork: Map<RequestId, Work>): void {
  connection.delivery.heard();
  for (const [id, { isOld }] of atWork) if (isOld) atWork.delete(id);
  const work: Work = {
    done: Promise.resolve(),
    fate: undefined,
    onDropped: [],
    cancelled: false,
    isOld: false,
  };
  work.done = answer(connection, request, work).finally(() => {
    if (work.onDropped.length > 0) setTimeout(() => (work.isOld = true), LATE_CANCELLATION_MS).unref();
    else if (atWork.get(request.id) === work) atWork.delete(request.id);
  });
  atWork.set(request.id, work);
}

async function answer(connection: Connection, request: Request, work: Work): Promise<void> {
  const line = await answerSafely(connection, request, {
    awaitArrival: (fate) => void (work.fate = fate),
    onDropped: (action) => void work.onDropped.push(action),
  });
  // The client would discard the answer, so it is not sent.
  if (work.cancelled) return;
  const written = await writeOut(connection, line);
  // The client may also cancel while a large answer is being written.
  if (written && !work.cancelled && work.fate) connection.delivery.written(request.id, work.fate);
}

async function answerSafely({ server, complain }: Connection, request: Request, call: Call): Promise<string> {
  const { id } = request;
  try {
    const outcome = await answerRequest(server, request, call);
    return formatAnswer("error" in outcome ? { id, error: outcome.error } : { id, result: outcome.result });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    complain(`could not answer ${request.method}: ${reason}`);
    return formatAnswer({ id, error: { code: -32603, message: `Internal error: ${reason}` } });
  }
}

function formatAnswer(content: object): string {
  return `${JSON.stringify({ jsonrpc: "2.0", ...content })}\n`;
}

/** False if the client is no longer there to read it. */
function writeOut({ input, output }: Connection, text: string): Promise<boolean> {
  return new Promise((resolve) => {
    output.write(text, (error) => resolve(!error));
    if (isStuck(output)) input.pause();
  });
}

function isStuck(output: Writable): boolean {
  return output.writableLength > MOST_UNSENT_BYTES;
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

interface Step {
  isRequest: boolean;
  run: () => void;
}

interface Pace {
  add(step: Step): void;
  /** Call this when the client has read something. */
  goOn(): void;
}

/** An answer has at most half a megabyte. */
const MOST_PER_TURN = 16;

/**
 * Lets requests begin a few at a time, and only while the client reads its answers.
 *
 * One piece of input may have hundreds of small requests, each with a large answer. So only a few begin in one turn of
 * the event loop, and the next ones when the size of their answers is known. Whatever follows a request and is not one,
 * such as its cancellation, does not wait for that turn.
 */
function paceInput({ input, output }: Connection): Pace {
  const waiting: Step[] = [];
  let begun = 0;

  function goOn(): void {
    while (!isStuck(output)) {
      const [next] = waiting;
      if (next === undefined) return void input.resume();
      if (next.isRequest && begun === MOST_PER_TURN) break;
      waiting.shift();
      if (next.isRequest) countOne();
      next.run();
    }
    input.pause();
  }

  function countOne(): void {
    begun += 1;
    if (begun > 1) return;
    setImmediate(() => {
      begun = 0;
      goOn();
    });
  }

  return {
    goOn,
    add(step) {
      waiting.push(step);
      if (waiting.length === 1) goOn();
    },
  };
}
