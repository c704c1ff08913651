/** Claude Code as an agent program. */
import type { AgentProgram } from "../agent-program.ts";

export const claude: AgentProgram = {
  needs: "claude",
  command: ({ program, mcpConfigFile }) => ({ program, args: ["--mcp-config", mcpConfigFile] }),
};
