/** Reads JSON-RPC: splits input into lines, and says what the client wants with each, if it can be understood. */
import { parseJson } from "../system/json.ts";

export type RequestId = string | number;

export interface Notification {
  method: string;
  params: unknown;
}

export interface Request extends Notification {
  id: RequestId;
}

/** What one line says. An answer of the client says nothing: the relay never asks it anything. */
export interface Incoming {
  request?: Request;
  notification?: Notification;
  /** The client waits for an answer and receives the protocol's error; `id` is null if the line does not say it. */
  refusal?: { id: RequestId | null; error: { code: number; message: string } };
  /** What is wrong with the line, for the client's log. */
  complaint?: string;
}

const LONGEST_LINE = 16 * 1024 * 1024;
/** How much of each end of an overlong line is kept, to find out which request it was. */
const END_BYTES = 1_024;
const LINE_END = 0x0a;

/** Takes the input piece by piece. A line over the limit is dropped as it comes in; the lines around it are kept. */
export function createReader(): (piece: Buffer) => Incoming[] {
  let parts: Buffer[] = [];
  let length = 0;
  const take = (part: Buffer): void => {
    parts.push(part);
    length += part.length;
    if (length <= LONGEST_LINE) return;
    const known = Buffer.concat(parts);
    parts = [known.subarray(0, END_BYTES), known.subarray(-END_BYTES)].map((end) => Buffer.from(end));
  };
  const finish = (): Incoming => {
    const line = Buffer.concat(parts).toString();
    const isTooLong = length > LONGEST_LINE;
    parts = [];
    length = 0;
    if (isTooLong) return refuseTooLong(line);
    return line === "" ? {} : parseLine(line);
  };
  return (piece) => {
    const lines: Incoming[] = [];
    let start = 0;
    for (let end = piece.indexOf(LINE_END); end !== -1; end = piece.indexOf(LINE_END, start)) {
      take(piece.subarray(start, end));
      lines.push(finish());
      start = end + 1;
    }
    take(piece.subarray(start));
    return lines;
  };
}

export function parseLine(line: string): Incoming {
  const content = parseJson(line);
  if (content === undefined) return { complaint: "ignored a line that is no JSON" };
  if (Array.isArray(content)) return refuse(null, "batches are not part of the protocol");
  if (typeof content !== "object" || content === null) return NO_JSON_RPC;
  const { jsonrpc, id, method, params }: Partial<Record<string, unknown>> = { ...content };
  if (jsonrpc !== "2.0") return NO_JSON_RPC;
  if (!("method" in content))
    return id === undefined ? { complaint: "ignored a message without a method" } : {};
  const isStructured = params === undefined || (typeof params === "object" && params !== null);
  if (id === undefined) {
    return typeof method === "string" && isStructured
      ? { notification: { method, params } }
      : { complaint: "ignored a malformed notification" };
  }
  if (!isRequestId(id)) return refuse(null, "the id must be a text or a whole number below 2^53");
  if (typeof method !== "string") return refuse(id, "the method must be a text");
  return isStructured
    ? { request: { id, method, params } }
    : refuse(id, "params must be an object, or left out");
}

const NO_JSON_RPC: Incoming = { complaint: "ignored a line that is no JSON-RPC 2.0" };

function refuse(id: RequestId | null, reason: string): Incoming {
  return { refusal: { id, error: { code: -32_600, message: `Invalid request: ${reason}` } } };
}

/** Clients put the id first or last. */
const ID_FIRST =
  /^\s*\{(?:\s*"jsonrpc"\s*:\s*"2\.0"\s*,)?(?:\s*"method"\s*:\s*"[\w/]+"\s*,)?\s*"id"\s*:\s*(\d{1,15}|"[^"\\]{1,200}")\s*,/;
const ID_LAST = /,\s*"id"\s*:\s*(\d{1,15}|"[^"\\]{1,200}")\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/;

/** `ends`: the beginning and the end of a line that is too long to be read. */
function refuseTooLong(ends: string): Incoming {
  const [, id = "null"] = ID_LAST.exec(ends) ?? ID_FIRST.exec(ends) ?? [];
  const found: unknown = JSON.parse(id);
  return {
    ...refuse(isRequestId(found) ? found : null, `a line may have at most ${LONGEST_LINE} bytes`),
    complaint: "refused a line that is too long",
  };
}

/** A number that JavaScript cannot represent exactly would come back as another, which no client waits for. */
export function isRequestId(value: unknown): value is RequestId {
  return typeof value === "string" || Number.isSafeInteger(value);
}
