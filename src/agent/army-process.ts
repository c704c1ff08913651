/**
 * Whether a process really is what a file of the army says, by the command line and the environment it was started
 * with. ovld looks before it ends or continues a process: the file may come from a backup or another container.
 */
import type { ProcessIdentity } from "../system/process.ts";
import { dirname } from "node:path";
import { ROLES, type Role } from "../army/roles.ts";
import { hasWords, inspectProcess } from "../system/process-table.ts";
import { resolveLinks } from "../system/paths.ts";
import { MCP_CONFIG_FLAG, mcpConfigFile } from "./mcp-config-file.ts";

interface Place {
  relayDir: string;
  role: Role;
}

/** Whether a living process is a relay of this role in this army. */
export function isRelayOf(relay: ProcessIdentity, { relayDir, role }: Place): boolean {
  const facts = inspectProcess(relay);
  if (!facts?.words.slice(1).includes("relay") || facts.env["OVLD_ROLE"] !== role) return false;
  return resolveLinks(facts.env["OVLD_RELAY_DIR"] ?? "") === resolveLinks(relayDir);
}

/** Whether a living process is the agent that this army's layout started for the role. */
export function isAgentOf(agent: ProcessIdentity, place: Place): boolean {
  const words = inspectProcess(agent)?.words;
  return words !== undefined && isAgentCommand(words, place);
}

/** Only the role's agent is started with the role's MCP configuration. */
export function isAgentCommand(words: readonly string[], { relayDir, role }: Place): boolean {
  const file = mcpConfigFile(relayDir, role);
  const isSame = (path = ""): boolean => resolveLinks(path) === resolveLinks(file);
  return (
    hasWords(words, [MCP_CONFIG_FLAG, file]) ||
    words.some((word, at) => word === MCP_CONFIG_FLAG && isSame(words[at + 1]))
  );
}

/** Which agent of which army a command line starts, by its form alone: whether there is such an army is not checked. */
export function agentIn(words: readonly string[]): Place | undefined {
  const files = words.filter((_word, at) => words[at - 1] === MCP_CONFIG_FLAG);
  const places = files.flatMap((file) => {
    const relayDir = dirname(dirname(file));
    return ROLES.filter((role) => file === mcpConfigFile(relayDir, role)).map((role) => ({ relayDir, role }));
  });
  return places[0];
}
