/** A stand-in for the model behind Claude Code: a loopback server that answers according to a script. */
import { createServer, type IncomingMessage } from "node:http";
import { once } from "node:events";
import type { Sandbox } from "./sandbox.ts";

export interface ToolUse {
  tool: string;
  input: object;
  /** Identifies its result. */
  id?: string;
}

/** What the model says next, given a request, parsed and raw: tools to call, or its last words. */
export type Script = (request: ModelRequest, body: string) => Turn | Promise<Turn>;

/**
 * A number is an error with that HTTP status; with words, an error that is not retried. Words may also be cut: the
 * connection breaks in the middle of them, or the model has said as much as it may.
 */
export type Turn =
  | ToolUse
  | ToolUse[]
  | string
  | number
  | { status: number; words: string }
  | { words: string; cutBy: "connection" | "max_tokens" };

export interface ModelRequest {
  /** Which Claude is asking. */
  session: string;
  tools: string[];
  messages: { role: string; content: unknown }[];
  /** The results of the tools called so far, in order. */
  toolResults: string[];
  /** The last prompt, or the last tool's result. */
  last: string;
  /** When it arrived. */
  at: number;
}

export interface StandInModel {
  url: string;
  requests: ModelRequest[];
}

/** `keeps`: whether to keep the requests, which takes memory in a long conversation. */
export async function startModel(
  sandbox: Sandbox,
  script: Script,
  { keeps = true }: { keeps?: boolean } = {},
): Promise<StandInModel> {
  const requests: ModelRequest[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const body = await readBody(request);
      if (request.method !== "POST" || !request.url?.startsWith("/v1/messages"))
        return response.writeHead(404).end();
      const asked = parseRequest(request, body);
      if (keeps) requests.push(asked);
      const turn = await script(asked, body);
      if (typeof turn === "number" || (typeof turn === "object" && "status" in turn)) {
        const { status, words } =
          typeof turn === "number" ? { status: turn, words: "the stand-in says no" } : turn;
        const error = { type: "invalid_request_error", message: words };
        const headers = typeof turn === "number" ? {} : { "x-should-retry": "false" };
        return response.writeHead(status, headers).end(JSON.stringify({ type: "error", error }));
      }
      response.writeHead(200, { "content-type": "text/event-stream" });
      const isCut = typeof turn === "object" && "cutBy" in turn;
      for (const event of printTurn(isCut ? turn.words : turn, isCut ? "max_tokens" : undefined)) {
        if (isCut && turn.cutBy === "connection" && event.type === "content_block_stop") break;
        response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
      }
      return isCut && turn.cutBy === "connection" ? setTimeout(() => response.destroy(), 50) : response.end();
    })();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  sandbox.defer(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the stand-in has no port");
  return { url: `http://127.0.0.1:${address.port}`, requests };
}

function parseRequest(request: IncomingMessage, body: string): ModelRequest {
  const { messages = [], tools = [] } = JSON.parse(body);
  return {
    session: String(request.headers["x-claude-code-session-id"]),
    tools: tools.map((tool: { name: string }) => tool.name),
    messages,
    toolResults: messages.flatMap(({ content }: { content: unknown }) => toolResultsIn(content)),
    last: lastWords(messages),
    at: Date.now(),
  };
}

function lastWords(messages: ModelRequest["messages"]): string {
  const content = messages.findLast(({ role }) => role === "user")?.content;
  if (!Array.isArray(content)) return String(content);
  return [...toolResultsIn(content), ...content.map(({ text = "" }) => String(text))].join("\n");
}

function toolResultsIn(content: unknown): string[] {
  if (!Array.isArray(content)) return [];
  return content
    .filter(({ type }) => type === "tool_result")
    .map(({ content: parts }) =>
      Array.isArray(parts) ? parts.map(({ text }) => text).join("") : String(parts),
    );
}

function printTurn(
  turn: ToolUse | ToolUse[] | string,
  reason = typeof turn === "string" ? "end_turn" : "tool_use",
): { type: string; [key: string]: unknown }[] {
  const id = Math.random().toString(36).slice(2);
  const message = { id: `msg_${id}`, type: "message", role: "assistant", model: "stand-in", content: [] };
  const blocks = typeof turn === "string" ? [printWords(turn)] : [turn].flat().map(printToolUse);
  return [
    {
      type: "message_start",
      message: { ...message, stop_reason: null, usage: { input_tokens: 1, output_tokens: 1 } },
    },
    ...blocks.flatMap(({ block, delta }, index) => [
      { type: "content_block_start", index, content_block: block },
      { type: "content_block_delta", index, delta },
      { type: "content_block_stop", index },
    ]),
    {
      type: "message_delta",
      delta: { stop_reason: reason, stop_sequence: null },
      usage: { output_tokens: 1 },
    },
    { type: "message_stop" },
  ];
}

interface Block {
  block: object;
  delta: object;
}

function printWords(text: string): Block {
  return { block: { type: "text", text: "" }, delta: { type: "text_delta", text } };
}

function printToolUse({ tool, input, id = `toolu_${Math.random().toString(36).slice(2)}` }: ToolUse): Block {
  return {
    block: { type: "tool_use", id, name: tool, input: {} },
    delta: { type: "input_json_delta", partial_json: JSON.stringify(input) },
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** A question that the model asks a person in a dialog. */
export const QUESTION = {
  question: "Which hill?",
  header: "Hill",
  multiSelect: false,
  options: [
    { label: "left", description: "the left one" },
    { label: "right", description: "the right one" },
  ],
};
