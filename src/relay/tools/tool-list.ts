/** The five tools, in the order a model sees them. */
import { isSpecType, type Tool as ListedTool } from "@modelcontextprotocol/server";
import * as z from "zod";
import { broadcast } from "./broadcast.ts";
import { checkInbox } from "./check-inbox.ts";
import { getStatus } from "./get-status.ts";
import { sendMessage } from "./send-message.ts";
import type { Tool } from "./tool.ts";
import { updateStatus } from "./update-status.ts";

export const TOOLS: readonly Tool[] = [sendMessage, checkInbox, getStatus, updateStatus, broadcast];

export function listTools(): ListedTool[] {
  return TOOLS.map(({ name, description, input, meta }) => {
    // The dialect is the protocol's default: naming it in each schema would only cost tokens.
    const { $schema: _, ...inputSchema } = z.toJSONSchema(input);
    const listed: unknown = { name, description, inputSchema, ...(meta && { _meta: meta }) };
    if (!isSpecType.Tool(listed)) throw new Error(`${name} is not a tool as the protocol has it`);
    return listed;
  });
}
