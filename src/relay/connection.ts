/** The life of one connection: requests in, answers out, until the client leaves or we are asked to end. */
import type { Readable, Writable } from "node:stream";
import type { Arrivals } from "./arrivals.ts";
import { isRequestId, parseLine, type Notification, type Request, type RequestId } from "./json-rpc.ts";
import { listenForLines } from "./lines.ts";
import { answerRequest, type ToolServer } from "./protocol.ts";

export interface Connection {
  input: Readable;
  output: Writable;
  server: ToolServer;
  arrivals: Arrivals;
  complain: (sentence: string) => void;
}

/** A request that is being answered. */
interface Work {
  cancelled: boolean;
  done: Promise<void>;
}

/** How long a client that has said its last word may wait for answers still in the making. */
const LAST_ANSWERS_MS = 500;

/** Resolves when the client has gone, with everything answered that could be. */
export function serve(connection: Connection): Promise<void> {
  const { input, output, arrivals, complain } = connection;
  const atWork = new Map<RequestId, Work>();
  listenForLines(input, {
    tooLong: () => complain("ignored a line that is too long"),
    line(text) {
      const incoming = parseLine(text);
      if ("garbage" in incoming) complain(`ignored ${incoming.garbage}`);
      else if ("notification" in incoming) hear(incoming.notification, atWork, arrivals);
      else if ("request" in incoming) begin(connection, incoming.request, atWork);
    },
  });
  return new Promise((resolve) => {
    output.on("error", () => resolve());
    input.on("error", () => resolve());
    input.on("end", () => {
      setTimeout(resolve, LAST_ANSWERS_MS).unref();
      void Promise.all([...atWork.values()].map(({ done }) => done)).then(() => resolve());
    });
  });
}

function begin(connection: Connection, request: Request, atWork: Map<RequestId, Work>): void {
  const work: Work = { cancelled: false, done: Promise.resolve() };
  work.done = answer(connection, request, work).finally(() => atWork.delete(request.id));
  atWork.set(request.id, work);
}

async function answer(connection: Connection, request: Request, work: Work): Promise<void> {
  const { output, arrivals } = connection;
  const { line, onArrival } = await answerSafely(connection, request);
  // The client would throw the answer away: better not to have given it.
  if (work.cancelled) return;
  const written = await writeOut(output, line);
  // While a large answer is being written the client may change its mind as well.
  if (written && !work.cancelled && onArrival) arrivals.written(request.id, onArrival);
}

async function answerSafely({ server, complain }: Connection, request: Request): Promise<PrintedAnswer> {
  const { id } = request;
  try {
    const outcome = await answerRequest(server, request);
    if ("error" in outcome) return { line: printAnswer({ id, error: outcome.error }) };
    return { line: printAnswer({ id, result: outcome.result }), onArrival: outcome.onArrival };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    complain(`could not answer ${request.method}: ${reason}`);
    return { line: printAnswer({ id, error: { code: -32603, message: `Internal error: ${reason}` } }) };
  }
}

interface PrintedAnswer {
  line: string;
  onArrival?: (() => void) | undefined;
}

function printAnswer(content: object): string {
  return `${JSON.stringify({ jsonrpc: "2.0", ...content })}\n`;
}

/** False if nobody is left to read it. */
function writeOut(output: Writable, text: string): Promise<boolean> {
  return new Promise((resolve) => output.write(text, (error) => resolve(!error)));
}

function hear({ method, params }: Notification, atWork: Map<RequestId, Work>, arrivals: Arrivals): void {
  if (method !== "notifications/cancelled") return;
  if (typeof params !== "object" || params === null || !("requestId" in params)) return;
  const { requestId } = params;
  if (!isRequestId(requestId)) return;
  const work = atWork.get(requestId);
  if (work) work.cancelled = true;
  else arrivals.cancelled(requestId);
}
