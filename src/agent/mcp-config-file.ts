/** Where an army keeps each role's MCP configuration, with which the agent is started and by which it is recognised. */
import { join } from "node:path";
import type { Role } from "../army/roles.ts";

export const MCP_FOLDER = "mcp";

/** The flag by which agent programs receive the file. */
export const MCP_CONFIG_FLAG = "--mcp-config";

export function mcpConfigFile(relayDir: string, role: Role): string {
  return join(relayDir, MCP_FOLDER, `${role}.json`);
}
