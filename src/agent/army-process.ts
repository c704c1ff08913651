/**
 * Whether a process really is what a file of the army says.
 *
 * Any of the person's processes, including an agent, can write presence files and agent reports. Before ovld ends a
 * process, stays silent because of it or types in its place, the process itself has to confirm it: by the command
 * line and the environment it was started with.
 */
import { type ProcessIdentity, identifyProcess } from "../system/process-identity.ts";
import { dirname } from "node:path";
import { otherRoles, ROLES, type Role } from "../army/roles.ts";
import { SUMMONED } from "../config/relay-settings.ts";
import { findProcess } from "../system/find-process.ts";
import { hasWords, inspectProcess } from "../system/inspect-process.ts";
import { listAncestors } from "../system/process-ancestors.ts";
import { resolveLinks } from "../system/resolve-links.ts";
import { MCP_CONFIG_FLAG, mcpConfigFile } from "./mcp-config-file.ts";

interface Place {
  relayDir: string;
  role: Role;
}

interface RelayPlace extends Place {
  /** Known only to processes of the same role. */
  secret?: string | undefined;
}

/** Whether a living process is a relay of this role in this army. */
export function isRelayOf(relay: ProcessIdentity, { relayDir, role, secret }: RelayPlace): boolean {
  const facts = inspectProcess(relay);
  if (!facts?.words.slice(1).includes("relay") || facts.env["OVLD_ROLE"] !== role) return false;
  if (secret !== undefined && facts.env[SUMMONED.secret] !== secret) return false;
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

/**
 * Whether this process runs below an agent of another role. If so, it is not this role's own, whatever it was started
 * with.
 */
export function isBelowAnother({ relayDir, role }: Place): boolean {
  return listAncestors().some(({ words }) =>
    otherRoles(role).some((other) => isAgentCommand(words, { relayDir, role: other })),
  );
}

/** Whether a relay of the role is running on this machine, announced or not. */
export function hasRunningRelay(place: Place): boolean {
  const found = findProcess((words, pid) => {
    const identity = words.includes("relay") ? identifyProcess(pid) : undefined;
    return identity !== undefined && isRelayOf(identity, place);
  });
  return found !== undefined;
}

/** Whether the role's agent is running in another pane than this one, whatever a report says. */
export function isElsewhere(pane: number, place: Place): boolean {
  const agent = findProcess((words) => isAgentCommand(words, place));
  const identity = agent === undefined ? undefined : identifyProcess(agent);
  const found = identity === undefined ? undefined : inspectProcess(identity)?.env["ZELLIJ_PANE_ID"];
  return found !== undefined && found !== String(pane);
}
