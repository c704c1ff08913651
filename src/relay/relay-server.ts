/** Serves one role's tools: five over mail and bell, and an unlisted one for hooks. Creating them has no side effects. */
import { HOOK_TOOL } from "../agent/hook-call.ts";
import { printOnOneLine } from "../system/json.ts";
import { OvldError } from "../system/ovld-error.ts";
import type { Call, CallResult, Tools } from "./protocol.ts";
import { explainError } from "./tools/explain-to-model.ts";
import { listTools, TOOLS } from "./tools/tool-list.ts";
import type { Answer, ToolContext, Tool } from "./tools/tool.ts";

/** If one of these tools fails, its answer must say clearly that the message was not stored, if that is certain. */
const STORING_TOOLS = new Set(["send_message", "broadcast"]);

export interface AgentSession {
  /** The client has listed the tools: the agent's session begins. */
  onListed(): void;
  /** One of the agent's hooks has called. */
  onHook(input: object, call: Call): CallResult | Promise<CallResult>;
}

export function createRelayServer(context: ToolContext, agent: AgentSession): Tools {
  return {
    toolNames: TOOLS.map(({ name }) => name),
    listTools() {
      // A client that only wants to know what this server is does not list the tools.
      agent.onListed();
      return listTools();
    },
    callTool(name, input, call) {
      if (name === HOOK_TOOL) return Promise.resolve(agent.onHook(input, call));
      const tool = TOOLS.find((each) => each.name === name);
      return tool && callTool(tool, context, input);
    },
  };
}

async function callTool(tool: Tool, context: ToolContext, input: unknown): Promise<CallResult> {
  try {
    return printAnswer(await tool.call(context, input));
  } catch (error) {
    if (!(error instanceof OvldError)) throw error;
    const sentence = explainError(error.report, context.texts);
    const isLost = STORING_TOOLS.has(tool.name) && error.report.code !== "hub-unknown";
    return printAnswer({
      content: isLost ? `Not stored. ${sentence}` : sentence,
      failed: true,
    });
  }
}

function printAnswer({ content, remark, meta, failed = false, fate }: Answer): CallResult {
  const text = typeof content === "string" ? content : printOnOneLine(content);
  const parts = [text, ...(remark === undefined ? [] : [remark])].map((each) => ({
    type: "text",
    text: each,
  }));
  const result = { content: parts, ...(meta && { _meta: meta }), ...(failed && { isError: true }) };
  return { result, fate };
}
