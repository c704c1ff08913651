/** Serves one connection: reads requests and writes answers until the client leaves or the relay is asked to end. */
import type { Readable, Writable } from "node:stream";
import type { AnswerDelivery, Fate } from "./answer-delivery.ts";
import {
  INVALID_REQUEST,
  isRequestId,
  parseLine,
  refuseTooLong,
  type Incoming,
  type Notification,
  type Refusal,
  type Request,
  type RequestId,
} from "./json-rpc.ts";
import { paceInput } from "./pace-input.ts";
import { splitLines, LONGEST_LINE } from "./split-lines.ts";
import { answerRequest, type Call, type ToolServer } from "./protocol.ts";

export interface Connection {
  input: Readable;
  output: Writable;
  server: ToolServer;
  delivery: AnswerDelivery;
  complain: (sentence: string) => void;
}

interface Work extends Call {
  done: Promise<void>;
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
export type Leaving = "closed" | "deaf";

/** Resolves when the client is gone and every answer that was possible has been written. */
export function serve(connection: Connection): Promise<Leaving> {
  const { input, output, delivery, complain } = connection;
  const atWork = new Map<RequestId, Work>();
  const pace = paceInput(input, () => isStuck(output));
  const take = (incoming: Incoming): void => {
    if ("garbage" in incoming) complain(`ignored ${incoming.garbage}`);
    else if ("refusal" in incoming) refuse(connection, incoming.refusal);
    else if ("notification" in incoming) hear(incoming.notification, atWork, delivery);
    else if ("request" in incoming) begin(connection, incoming.request, atWork);
  };
  splitLines(input, {
    tooLong(head, tail) {
      complain("refused a line that is too long");
      const refusal = refuseTooLong(head, tail, LONGEST_LINE);
      pace.add({ isRequest: false, run: () => take({ refusal }) });
    },
    line(text) {
      const incoming = parseLine(text);
      pace.add({ isRequest: "request" in incoming, run: () => take(incoming) });
    },
  });
  output.on("drain", () => pace.goOn());
  return new Promise((resolve) => {
    output.on("error", () => resolve("deaf"));
    input.on("error", () => resolve("closed"));
    input.on("end", () => {
      for (const { onDropped } of atWork.values()) onDropped?.("gone");
      setTimeout(() => resolve("closed"), LAST_ANSWERS_MS).unref();
      void Promise.all([...atWork.values()].map(({ done }) => done)).then(() => resolve("closed"));
    });
  });
}

/** Unread answers pile up in memory. Above this limit, no more requests are read. */
const MOST_UNSENT_BYTES = 4 * 1024 * 1024;

function refuse(connection: Connection, { id, message }: Refusal): void {
  void writeOut(connection, printAnswer({ id, error: { code: INVALID_REQUEST, message } }));
}

function begin(connection: Connection, request: Request, atWork: Map<RequestId, Work>): void {
  connection.delivery.heard();
  for (const [id, { isOld }] of atWork) if (isOld) atWork.delete(id);
  const work: Work = { cancelled: false, done: Promise.resolve(), isOld: false };
  work.done = answer(connection, request, work).finally(() => {
    if (work.onDropped) setTimeout(() => (work.isOld = true), LATE_CANCELLATION_MS).unref();
    else if (atWork.get(request.id) === work) atWork.delete(request.id);
  });
  atWork.set(request.id, work);
}

async function answer(connection: Connection, request: Request, work: Work): Promise<void> {
  const { delivery } = connection;
  const { line, fate } = await answerSafely(connection, request, work);
  // The client would discard the answer, so it is not sent.
  if (work.cancelled) return;
  const written = await writeOut(connection, line);
  // The client may also cancel while a large answer is being written.
  if (written && !work.cancelled && fate) delivery.written(request.id, fate);
}

async function answerSafely(
  { server, complain }: Connection,
  request: Request,
  call: Call,
): Promise<PrintedAnswer> {
  const { id } = request;
  try {
    const outcome = await answerRequest(server, request, call);
    if ("error" in outcome) return { line: printAnswer({ id, error: outcome.error }) };
    return { line: printAnswer({ id, result: outcome.result }), fate: outcome.fate };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    complain(`could not answer ${request.method}: ${reason}`);
    return { line: printAnswer({ id, error: { code: -32603, message: `Internal error: ${reason}` } }) };
  }
}

interface PrintedAnswer {
  line: string;
  fate?: Fate | undefined;
}

function printAnswer(content: object): string {
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
  work.onDropped?.("cancelled");
}
