/** A stand-in for the model behind Claude Code: a loopback server that answers by a script. */
import { createServer, type IncomingMessage } from "node:http";
import { once } from "node:events";
import type { Sandbox } from "./sandbox.ts";

interface ToolUse {
  tool: string;
  input: object;
}

/** What the model says next, given what it was sent: a tool to call, or its last words. */
export type Script = (request: ModelRequest) => Turn | Promise<Turn>;

/** A number is an error with that HTTP status; with words, one that is not tried again. */
export type Turn = ToolUse | string | number | { status: number; words: string };

export interface ModelRequest {
  /** Which Claude is asking. */
  session: string;
  tools: string[];
  messages: { role: string; content: unknown }[];
  /** What the tools called so far have answered, in order. */
  toolResults: string[];
  /** The last prompt, or what the last tool answered. */
  last: string;
  /** When it came. */
  at: number;
}

export interface StandInModel {
  url: string;
  requests: ModelRequest[];
}

export async function startModel(sandbox: Sandbox, script: Script): Promise<StandInModel> {
  const requests: ModelRequest[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const body = await readBody(request);
      if (request.method !== "POST" || !request.url?.startsWith("/v1/messages"))
        return response.writeHead(404).end();
      const asked = parseRequest(request, body);
      requests.push(asked);
      const turn = await script(asked);
      if (typeof turn === "number" || (typeof turn === "object" && "status" in turn)) {
        const { status, words } =
          typeof turn === "number" ? { status: turn, words: "the stand-in says no" } : turn;
        const error = { type: "invalid_request_error", message: words };
        const headers = typeof turn === "number" ? {} : { "x-should-retry": "false" };
        return response.writeHead(status, headers).end(JSON.stringify({ type: "error", error }));
      }
      response.writeHead(200, { "content-type": "text/event-stream" });
      for (const event of printTurn(turn)) {
        response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
      }
      return response.end();
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

function printTurn(turn: ToolUse | string): { type: string; [key: string]: unknown }[] {
  const id = Math.random().toString(36).slice(2);
  const message = { id: `msg_${id}`, type: "message", role: "assistant", model: "stand-in", content: [] };
  const [block, delta, reason] =
    typeof turn === "string"
      ? [{ type: "text", text: "" }, { type: "text_delta", text: turn }, "end_turn"]
      : [
          { type: "tool_use", id: `toolu_${id}`, name: turn.tool, input: {} },
          { type: "input_json_delta", partial_json: JSON.stringify(turn.input) },
          "tool_use",
        ];
  return [
    {
      type: "message_start",
      message: { ...message, stop_reason: null, usage: { input_tokens: 1, output_tokens: 1 } },
    },
    { type: "content_block_start", index: 0, content_block: block },
    { type: "content_block_delta", index: 0, delta },
    { type: "content_block_stop", index: 0 },
    {
      type: "message_delta",
      delta: { stop_reason: reason, stop_sequence: null },
      usage: { output_tokens: 1 },
    },
    { type: "message_stop" },
  ];
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
