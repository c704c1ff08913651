/** The practice agent as an agent program: part of ovld itself, it needs no account, no network and no tokens. */
import type { AgentProgram } from "../agent-program.ts";

export const practice: AgentProgram = {
  name: "practice",
  needs: undefined,
  tellsStart: ["startup"],
  command: ({ ovld, mcpConfigFile, settingsFile, language }) => ({
    program: ovld.node,
    args: [
      ovld.file,
      "practice-agent",
      ...(language === undefined ? [] : ["--lang", language]),
      "--mcp-config",
      mcpConfigFile,
      "--settings",
      settingsFile,
    ],
  }),
};
