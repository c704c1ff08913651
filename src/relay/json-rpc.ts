/** Parses one line of JSON-RPC: what the client wants, if it can be understood. */
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
export function refuseTooLong(head: string, tail: string, mostBytes: number): Refusal {
  const [, id] = ID_LAST.exec(tail) ?? ID_FIRST.exec(head) ?? [];
  const found: unknown = id === undefined ? null : JSON.parse(id);
  const message = `Invalid request: a line may have at most ${mostBytes} bytes`;
  return { id: isRequestId(found) ? found : null, message };
}

/** A number that JavaScript cannot represent exactly would come back as another, which no client waits for. */
export function isRequestId(value: unknown): value is RequestId {
  return typeof value === "string" || Number.isSafeInteger(value);
}
