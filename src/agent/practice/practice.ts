/**
 * The practice agent as an agent program: it is part of ovld and needs no account, no network and no tokens.
 *
 * It uses Claude Code's formats on purpose, so that code for one can be tested with the other: its files are the
 * same, its hooks have the same names and answers, and its composer looks the same and takes the same keys. That is
 * why this folder imports from `claude/`.
 */
import type { AgentProgram } from "../agent-program.ts";
import { printMcpConfig } from "../claude/claude.ts";
import { printHookSettings } from "../claude/hook-settings.ts";
import { MCP_CONFIG_FLAG } from "../mcp-config-file.ts";
import { practiceConversations } from "./practice-conversations.ts";

export const practice: AgentProgram = {
  name: "practice",
  needs: undefined,
  command: ({ ovld, mcpConfigFile, settingsFile, language }) => ({
    program: ovld.node,
    args: [
      ovld.file,
      "practice-agent",
      ...(language === undefined ? [] : ["--lang", language]),
      MCP_CONFIG_FLAG,
      mcpConfigFile,
      "--settings",
      settingsFile,
    ],
  }),
  conversations: practiceConversations,
  printMcpConfig,
  printSettings: (given) => printHookSettings({ ...given, starts: ["startup", "resume"] }),
};
