/** Where an army keeps the MCP configuration of each role: what its agent is started with. */
import { join } from "node:path";
import type { Role } from "../army/roles.ts";

export const MCP_FOLDER = "mcp";

export function mcpConfigFile(relayDir: string, role: Role): string {
  return join(relayDir, MCP_FOLDER, `${role}.json`);
}
