/**
 * The practice agent as an agent program: part of ovld itself, it needs no account, no network and no tokens.
 *
 * It speaks Claude Code's formats on purpose, so that whatever deals with the one is tried with the other: its files
 * are the same, its hooks have the same names and answers, and its composer looks and takes keys alike. That is why
 * this folder imports from `claude/`.
 */
import type { AgentProgram } from "../agent-program.ts";
import { printMcpConfig } from "../claude/claude.ts";
import { printHookSettings } from "../claude/hook-settings.ts";
import { MCP_CONFIG_FLAG } from "../mcp-config-file.ts";

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
  printMcpConfig,
  printSettings: (given) => printHookSettings({ ...given, starts: ["startup"] }),
};
