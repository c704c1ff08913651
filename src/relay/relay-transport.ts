/**
 * MCP over this process's own stdin and stdout, with two things the SDK's transport does not give:
 *
 * - it tells when an answer has really been written, because mail may only be forgotten then;
 * - a line of any length cannot end the connection: what is beyond the limit is swallowed, and the rest, being
 *   no JSON any more, is ignored like any other garbage.
 */
import { Transform, type Readable, type Writable } from "node:stream";
import type { JSONRPCMessage, RequestId } from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";

const LONGEST_LINE = 16 * 1024 * 1024;
const LINE_END = 0x0a;

export class RelayTransport extends StdioServerTransport {
  readonly #output: Writable;
  readonly #arrivals = new Map<RequestId, () => void>();
  readonly #onClosed: () => void;
  #isClosed = false;

  /** `onClosed` is called when the client has gone, or when `close` was called. */
  constructor(input: Readable, output: Writable, onClosed: () => void) {
    super(input.pipe(cutLongLines()), output, { maxBufferSize: 2 * LONGEST_LINE });
    this.#output = output;
    this.#onClosed = onClosed;
  }

  onceAnswered(id: RequestId, action: () => void): void {
    this.#arrivals.set(id, action);
  }

  override send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) return Promise.reject(new Error("The client has gone."));
    return new Promise((resolve, reject) => {
      this.#output.write(`${JSON.stringify(message)}\n`, (error) => {
        const arrived = this.#takeArrival(message);
        if (error) return reject(error);
        arrived?.();
        resolve();
      });
    });
  }

  override async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await super.close();
    this.#onClosed();
  }

  #takeArrival(message: JSONRPCMessage): (() => void) | undefined {
    if (!("result" in message)) return undefined;
    const action = this.#arrivals.get(message.id);
    this.#arrivals.delete(message.id);
    return action;
  }
}

function cutLongLines(): Transform {
  let length = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      let start = 0;
      while (start < chunk.length) {
        const lineEnd = chunk.indexOf(LINE_END, start);
        const stop = lineEnd === -1 ? chunk.length : lineEnd;
        const room = Math.max(0, LONGEST_LINE - length);
        this.push(chunk.subarray(start, Math.min(stop, start + room)));
        length += stop - start;
        if (lineEnd !== -1) {
          this.push(chunk.subarray(lineEnd, lineEnd + 1));
          length = 0;
        }
        start = stop + 1;
      }
      done();
    },
  });
}
