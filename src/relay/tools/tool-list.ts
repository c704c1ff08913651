/** The five tools, in the order a model sees them. */
import * as z from "zod/mini";
import { broadcast } from "./broadcast.ts";
import { checkInbox } from "./check-inbox.ts";
import { getStatus } from "./get-status.ts";
import { sendMessage } from "./send-message.ts";
import type { Tool } from "./tool.ts";
import { updateStatus } from "./update-status.ts";

export const TOOLS: readonly Tool[] = [sendMessage, checkInbox, getStatus, updateStatus, broadcast];

export function listTools(): object[] {
  return TOOLS.map(({ name, description, input, meta }) => {
    // The dialect is the protocol's default: naming it in each schema would only cost tokens.
    const { $schema: _, ...inputSchema } = z.toJSONSchema(input);
    return { name, description, inputSchema, ...(meta && { _meta: meta }) };
  });
}
