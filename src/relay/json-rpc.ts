/** Reads JSON-RPC: splits a stream into lines, and says what the client wants with each, if it can be understood. */
import type { Readable } from "node:stream";

export type RequestId = string | number;

export interface Notification {
  method: string;
  params: unknown;
}

export interface Request extends Notification {
  id: RequestId;
}

/** The protocol's error for a line that contains no valid request. */
export interface Refusal {
  /** Null if the line does not say. */
  id: RequestId | null;
  message: string;
}

export const INVALID_REQUEST = -32_600;

export type Incoming =
  | { request: Request }
  | { notification: Notification }
  /** The client waits for an answer and receives the protocol's error. */
  | { refusal: Refusal }
  /** An answer from the client is ignored: the relay never asks it anything. */
  | { answer: true }
  /** The client does not wait for an answer. */
  | { garbage: string };

const LONGEST_LINE = 16 * 1024 * 1024;
/** How much of each end of an overlong line is kept, to find out which request it was. */
const END_BYTES = 1_024;
const LINE_END = 0x0a;

interface LineListener {
  line(text: string): void;
  /** A line was too long: this is how it began and ended. */
  tooLong(head: string, tail: string): void;
}

/** A line over the limit is dropped as it comes in; the lines around it are kept. */
export function splitLines(input: Readable, listener: LineListener): void {
  let parts: Buffer[] = [];
  let length = 0;
  let head: Buffer | undefined;
  let tail = Buffer.alloc(0);
  const take = (part: Buffer): void => {
    length += part.length;
    if (length <= LONGEST_LINE) return void parts.push(part);
    head ??= Buffer.from(Buffer.concat(parts).subarray(0, END_BYTES));
    tail = Buffer.concat([parts.at(-1) ?? tail, part]).subarray(-END_BYTES);
    parts = [];
  };
  const finish = (): void => {
    if (length > LONGEST_LINE) listener.tooLong(head?.toString() ?? "", tail.toString());
    else if (length > 0) listener.line(Buffer.concat(parts).toString());
    parts = [];
    length = 0;
    head = undefined;
    tail = Buffer.alloc(0);
  };
  input.on("data", (chunk: Buffer) => {
    let start = 0;
    for (let end = chunk.indexOf(LINE_END); end !== -1; end = chunk.indexOf(LINE_END, start)) {
      take(chunk.subarray(start, end));
      finish();
      start = end + 1;
    }
    take(chunk.subarray(start));
  });
}

export function parseLine(line: string): Incoming {
  let content: unknown;
  try {
    content = JSON.parse(line);
  } catch {
    return { garbage: "a line that is no JSON" };
  }
  if (Array.isArray(content)) return refuse(null, "batches are not part of the protocol");
  if (
    typeof content !== "object" ||
    content === null ||
    !("jsonrpc" in content) ||
    content.jsonrpc !== "2.0"
  ) {
    return { garbage: "a line that is no JSON-RPC 2.0" };
  }
  const { id } = { id: undefined, ...content };
  if (!("method" in content)) {
    return id === undefined ? { garbage: "a message without a method" } : { answer: true };
  }
  const { method } = content;
  const params = "params" in content ? content.params : undefined;
  const problem = problemOf(method, params);
  if (id === undefined) {
    return problem !== undefined || typeof method !== "string"
      ? { garbage: "a malformed notification" }
      : { notification: { method, params } };
  }
  if (!isRequestId(id)) return refuse(null, "the id must be a text or a whole number below 2^53");
  if (problem !== undefined || typeof method !== "string") return refuse(id, problem ?? "");
  return { request: { id, method, params } };
}

function problemOf(method: unknown, params: unknown): string | undefined {
  if (typeof method !== "string") return "the method must be a text";
  const isStructured = typeof params === "object" && params !== null;
  return params === undefined || isStructured ? undefined : "params must be an object, or left out";
}

function refuse(id: RequestId | null, reason: string): { refusal: Refusal } {
  return { refusal: { id, message: `Invalid request: ${reason}` } };
}

/** Clients put the id first or last. Of a line that is too long only the two ends are kept. */
const ID_FIRST =
  /^\s*\{(?:\s*"jsonrpc"\s*:\s*"2\.0"\s*,)?(?:\s*"method"\s*:\s*"[\w/]+"\s*,)?\s*"id"\s*:\s*(\d{1,15}|"[^"\\]{1,200}")\s*,/;
const ID_LAST = /,\s*"id"\s*:\s*(\d{1,15}|"[^"\\]{1,200}")\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/;

/** The error for a line that is too long to be read. */
export function refuseTooLong(head: string, tail: string): Refusal {
  const [, id] = ID_LAST.exec(tail) ?? ID_FIRST.exec(head) ?? [];
  const found: unknown = id === undefined ? null : JSON.parse(id);
  const message = `Invalid request: a line may have at most ${LONGEST_LINE} bytes`;
  return { id: isRequestId(found) ? found : null, message };
}

/** A number that JavaScript cannot represent exactly would come back as another, which no client waits for. */
export function isRequestId(value: unknown): value is RequestId {
  return typeof value === "string" || Number.isSafeInteger(value);
}
