/**
 * The Model Context Protocol for a server that offers tools, with both of its handshakes.
 *
 * One request in, one answer out, no state in between: a request of revision 2026-07-28 says so in its own envelope
 * (`_meta`); every other request belongs to the 2025 family, which opens with `initialize`. It is written by hand
 * because a server with only tools needs this little, and six relays would each pay for the official SDK in start-up
 * time and memory. A test compares every answer with that SDK's.
 */
import { cleanLine, shorten } from "../system/clean-text.ts";
import type { Fate } from "./answer-delivery.ts";
import type { Request } from "./json-rpc.ts";

export interface ToolServer {
  name: string;
  version: string;
  instructions: string;
  /** Loaded when they are first needed. */
  tools: () => Tools;
}

export interface Tools {
  toolNames: readonly string[];
  listTools(): object[];
  /** Undefined if there is no such tool. */
  callTool(name: string, input: object, call: Call): Promise<CallResult> | undefined;
}

/** A request while it is being answered. A tool says here what depends on whether its answer is taken. */
export interface Call {
  /** For an answer that is lost if the client does not get it. */
  awaitArrival(fate: Fate): void;
  /**
   * Calls `action` if the client no longer wants the answer, even shortly after it was written, or if the client is
   * gone.
   */
  onDropped(action: (why: "cancelled" | "gone") => void): void;
}

export interface CallResult {
  result: object;
}

export type CallOutcome = CallResult | { error: ProtocolError };

interface ProtocolError {
  code: number;
  message: string;
  data?: object;
}

const MODERN_VERSIONS = ["2026-07-28"];
const [LATEST_OF_2025, ...EARLIER] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "2024-10-07"];

const LONGEST_ECHO = 60;

const ENVELOPE_VERSION = "io.modelcontextprotocol/protocolVersion";
const ENVELOPE_CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";
const ENVELOPE_SERVER = "io.modelcontextprotocol/serverInfo";

export async function answerCall(server: ToolServer, request: Request, call: Call): Promise<CallOutcome> {
  const { method, params } = request;
  const envelope = envelopeOf(request);
  if (envelope === undefined) {
    if (method === "initialize") return initialize(server, params);
    return method === "ping" ? { result: {} } : answerAboutTools(server, request, call);
  }
  const refusal = refuseEnvelope(envelope);
  if (refusal) return refusal;
  const { instructions } = server;
  const discovered = { supportedVersions: MODERN_VERSIONS, capabilities: { tools: {} }, instructions };
  if (method === "server/discover") return seal(server, method, { result: discovered });
  return seal(server, method, await answerAboutTools(server, request, call));
}

async function answerAboutTools(
  server: ToolServer,
  { method, params }: Request,
  call: Call,
): Promise<CallOutcome> {
  if (method === "tools/list") return { result: { tools: server.tools().listTools() } };
  if (method !== "tools/call") return { error: { code: -32601, message: "Method not found" } };
  const name = isObject(params) ? params["name"] : undefined;
  const input = isObject(params) ? (params["arguments"] ?? {}) : undefined;
  if (typeof name !== "string") return invalid("tools/call needs the name of a tool");
  if (!isObject(input)) return invalid("the arguments of tools/call must be an object");
  const tools = server.tools();
  const shown = JSON.stringify(shorten(cleanLine(name), LONGEST_ECHO));
  return (
    tools.callTool(name, input, call) ??
    invalid(`there is no tool ${shown}, there are ${tools.toolNames.join(", ")}`)
  );
}

function initialize({ name, version, instructions }: ToolServer, params: unknown): CallOutcome {
  const wish = isObject(params) ? params["protocolVersion"] : undefined;
  if (typeof wish !== "string") return invalid("initialize needs a protocolVersion");
  const protocolVersion = EARLIER.includes(wish) ? wish : LATEST_OF_2025;
  return {
    result: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name, version }, instructions },
  };
}

/** Adds what every result of 2026-07-28 carries; answers about the server itself must not be cached. */
function seal({ name, version }: ToolServer, method: string, outcome: CallOutcome): CallOutcome {
  if ("error" in outcome) return outcome;
  const keep = method === "tools/call" ? {} : { ttlMs: 0, cacheScope: "private" };
  const { _meta: own }: { _meta?: object } = outcome.result;
  const meta = { ...own, [ENVELOPE_SERVER]: { name, version } };
  return { ...outcome, result: { ...outcome.result, resultType: "complete", ...keep, _meta: meta } };
}

function envelopeOf({ params }: Request): Record<string, unknown> | undefined {
  const meta = isObject(params) ? params["_meta"] : undefined;
  return isObject(meta) && ENVELOPE_VERSION in meta ? meta : undefined;
}

function refuseEnvelope(envelope: Record<string, unknown>): { error: ProtocolError } | undefined {
  const requested = envelope[ENVELOPE_VERSION];
  if (typeof requested !== "string") return invalid(`${ENVELOPE_VERSION} must be a string`);
  if (!isObject(envelope[ENVELOPE_CAPABILITIES])) return invalid(`${ENVELOPE_CAPABILITIES} is missing`);
  if (MODERN_VERSIONS.includes(requested)) return undefined;
  const shown = shorten(cleanLine(requested), LONGEST_ECHO);
  const data = { supported: MODERN_VERSIONS, requested: shown };
  return { error: { code: -32022, message: `Unsupported protocol version: ${shown}`, data } };
}

function invalid(reason: string): { error: ProtocolError } {
  return { error: { code: -32602, message: `Invalid request: ${reason}` } };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
