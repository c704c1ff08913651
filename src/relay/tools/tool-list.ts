/** The five tools, in the order a model sees them. */
import { broadcast } from "./broadcast.ts";
import { checkInbox } from "./check-inbox.ts";
import { getStatus } from "./get-status.ts";
import { sendMessage } from "./send-message.ts";
import type { Tool } from "./tool.ts";
// Made from the tools by a test, not at each start: `npx vitest run test/unit/relay/tool-schemas.test.ts --update`.
import schemas from "./tool-schemas.json" with { type: "json" };
import { updateStatus } from "./update-status.ts";

export const TOOLS: readonly Tool[] = [sendMessage, checkInbox, getStatus, updateStatus, broadcast];

const SCHEMAS: Readonly<Record<string, object>> = schemas;

export function listTools(): object[] {
  return TOOLS.map(({ name, description, meta }) => ({
    name,
    description,
    inputSchema: SCHEMAS[name],
    ...(meta && { _meta: meta }),
  }));
}
