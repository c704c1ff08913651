/** One line of JSON-RPC: what the client wants, if it is anything we understand. */
export type RequestId = string | number;

export interface Notification {
  method: string;
  params: unknown;
}

export interface Request extends Notification {
  id: RequestId;
}

export type Incoming =
  | { request: Request }
  | { notification: Notification }
  /** We ask a client nothing, so an answer is nothing to us. */
  | { answer: true }
  | { garbage: string };

export function parseLine(line: string): Incoming {
  let content: unknown;
  try {
    content = JSON.parse(line);
  } catch {
    return { garbage: "a line that is no JSON" };
  }
  if (
    typeof content !== "object" ||
    content === null ||
    !("jsonrpc" in content) ||
    content.jsonrpc !== "2.0"
  ) {
    return { garbage: "a line that is no JSON-RPC 2.0" };
  }
  if (!("method" in content))
    return "id" in content ? { answer: true } : { garbage: "a message without a method" };
  const { method } = content;
  const params = "params" in content ? content.params : undefined;
  if (
    typeof method !== "string" ||
    (params !== undefined && (typeof params !== "object" || params === null))
  ) {
    return { garbage: "a malformed request" };
  }
  if (!("id" in content)) return { notification: { method, params } };
  const { id } = content;
  return isRequestId(id) ? { request: { id, method, params } } : { garbage: "a request with an unusable id" };
}

export function isRequestId(value: unknown): value is RequestId {
  return typeof value === "string" || (typeof value === "number" && Number.isInteger(value));
}
