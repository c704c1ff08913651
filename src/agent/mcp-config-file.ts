/** Where an army keeps the MCP configuration of each role: what its agent is started with, and known by. */
import { join } from "node:path";
import type { Role } from "../army/roles.ts";

export const MCP_FOLDER = "mcp";

/** With which the agent programs are given the file. */
export const MCP_CONFIG_FLAG = "--mcp-config";

export function mcpConfigFile(relayDir: string, role: Role): string {
  return join(relayDir, MCP_FOLDER, `${role}.json`);
}
