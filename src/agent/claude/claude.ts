/** Claude Code as an agent program. */
import type { AgentProgram } from "../agent-program.ts";

export const claude: AgentProgram = {
  name: "claude",
  needs: "claude",
  // When it starts, its hooks cannot reach a server yet.
  tellsStart: ["clear", "compact"],
  command: ({ program, mcpConfigFile, settingsFile, args = [] }) => ({
    program,
    args: ["--mcp-config", mcpConfigFile, "--settings", settingsFile, ...args],
  }),
};
