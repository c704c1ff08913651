/**
 * The MCP server of one role: five tools over mail and bell.
 *
 * Making one has no side effects: a client may start a relay only to ask what it is.
 */
import { ProtocolError, ProtocolErrorCode, Server, type CallToolResult } from "@modelcontextprotocol/server";
import { describeError } from "../i18n/error-texts.ts";
import { OvldError } from "../system/ovld-error.ts";
import { VERSION } from "../system/version.ts";
import type { RelayTransport } from "./relay-transport.ts";
import { listTools, TOOLS } from "./tools/tool-list.ts";
import type { Answer, Desk, Tool } from "./tools/tool.ts";

/** Storing tools must not leave a doubt about what their failure means for the message. */
const STORING_TOOLS = new Set(["send_message", "broadcast"]);

export function createRelayServer(desk: () => Desk, transport: Pick<RelayTransport, "onceAnswered">): Server {
  const server = new Server(
    { name: "ovld-relay", version: VERSION },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  server.setRequestHandler("tools/list", () => ({ tools: listTools() }));
  server.setRequestHandler("tools/call", async ({ params }, context) => {
    const tool = TOOLS.find(({ name }) => name === params.name);
    if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, unknownTool(params.name));
    const answer = await callTool(tool, desk, params.arguments ?? {});
    if (answer.onArrival) transport.onceAnswered(context.mcpReq.id, answer.onArrival);
    return printAnswer(answer);
  });
  return server;
}

const INSTRUCTIONS =
  "Mail between the roles of your army. When [MESSAGE from …] appears, call check_inbox at once. Report and ask with send_message; keep update_status true.";

async function callTool(tool: Tool, desk: () => Desk, input: unknown): Promise<Answer> {
  try {
    return await tool.call(desk(), input);
  } catch (error) {
    if (!(error instanceof OvldError)) throw error;
    const sentence = describeError(error.report, "en");
    return { content: STORING_TOOLS.has(tool.name) ? `Not stored. ${sentence}` : sentence, failed: true };
  }
}

function printAnswer({ content, failed = false }: Answer): CallToolResult {
  const text = typeof content === "string" ? content : JSON.stringify(content);
  return { content: [{ type: "text", text }], ...(failed && { isError: true }) };
}

function unknownTool(name: string): string {
  return `There is no tool ${JSON.stringify(name)}; there are ${TOOLS.map((tool) => tool.name).join(", ")}.`;
}
