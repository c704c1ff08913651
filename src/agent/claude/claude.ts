/** Claude Code as an agent program. */
import type { AgentWishes } from "../../config/settings.ts";
import type { AgentProgram, RelayCommand } from "../agent-program.ts";
import { RELAY_SERVER } from "../hook-call.ts";
import { MCP_CONFIG_FLAG } from "../mcp-config-file.ts";
import { claudeConversations } from "./claude-conversations.ts";
import { checkInstallation } from "./check-installation.ts";
import { checkLogin } from "./check-login.ts";
import { printHookSettings } from "./hook-settings.ts";
import { printLauncher } from "./print-launcher.ts";
import { trustsFolder } from "./trusts-folder.ts";

export const claude: AgentProgram = {
  name: "claude",
  needs: "claude",
  command: ({ program, mcpConfigFile, settingsFile, wishes }) => ({
    program,
    args: [MCP_CONFIG_FLAG, mcpConfigFile, "--settings", settingsFile, ...argumentsFor(wishes)],
  }),
  launcher: (given) => ({ file: "claude", content: printLauncher(given) }),
  conversations: claudeConversations,
  printMcpConfig,
  // When it starts, its hooks cannot reach a server yet.
  printSettings: (given) => printHookSettings({ ...given, starts: ["clear", "compact"] }),
  trusts: trustsFolder,
  checks: { installation: checkInstallation, login: checkLogin },
};

function argumentsFor({ model, permissionMode, args = [] }: AgentWishes = {}): string[] {
  return [
    ...(model === undefined ? [] : ["--model", model]),
    ...(permissionMode === undefined ? [] : ["--permission-mode", permissionMode]),
    ...args,
  ];
}

export function printMcpConfig({ command, args, env }: RelayCommand): string {
  // Without `alwaysLoad`, the tools are only found by a search, and a model would have to look for its mail tools.
  const relay = { type: "stdio", command, args, env, alwaysLoad: true };
  return `${JSON.stringify({ mcpServers: { [RELAY_SERVER]: relay } }, undefined, 2)}\n`;
}
