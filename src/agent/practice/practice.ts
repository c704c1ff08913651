/**
 * The practice agent as an agent program: it is part of ovld and needs no account, no network and no tokens.
 *
 * It uses Claude Code's formats on purpose, so that code for one can be tested with the other: its files are the
 * same, its hooks have the same names and answers, and its composer looks the same and takes the same keys. That is
 * why this folder imports from `claude/`.
 */
import type { AgentProgram } from "../agent-program.ts";
import { formatMcpConfig } from "../claude/claude.ts";
import { formatHookSettings } from "../claude/hooks.ts";
import { MCP_CONFIG_FLAG } from "../army-process.ts";
import { statSync } from "node:fs";
import { storePaths } from "../../mail/store/paths.ts";
import { openTranscript, readUsage } from "../claude/transcript.ts";

export const practice: AgentProgram = {
  name: "practice",
  title: "practice agent",
  needs: undefined,
  command({ ovld, mcpConfigFile, settingsFile, language }) {
    const files = [MCP_CONFIG_FLAG, mcpConfigFile, "--settings", settingsFile];
    const words = language === undefined ? files : ["--lang", language, ...files];
    return { program: ovld.node, args: [ovld.file, "practice-agent", ...words] };
  },
  // In the army's own folder, so that they are archived and brought back with the army. The format is Claude Code's,
  // with additional lines (`memory.ts`).
  conversations: {
    // The agent decides this itself when it starts (`take-up-conversation.ts`).
    begin: () => [],
    resume: () => [],
    areChosenBy: () => false,
    programFolder: () => undefined,
    findTranscript({ id }, { relayDir }) {
      const path = storePaths(relayDir).practiceTranscript(id);
      return statSync(path, { throwIfNoEntry: false })?.isFile() ? openTranscript(path) : undefined;
    },
    readUsage,
    findOwner: () => undefined,
  },
  variable: (name, env) => env[name],
  formatMcpConfig,
  formatSettings: (given) => formatHookSettings(given, ["startup", "resume"]),
};
