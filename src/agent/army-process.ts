/**
 * How the processes of an army are recognised, by the command line and the environment they were started with. ovld
 * looks before it ends or continues a process: the file that names it may come from a backup or another container.
 */
import { dirname, join } from "node:path";
import { ROLES, type Role } from "../army/roles.ts";
import type { Environment } from "../system/run-program.ts";
import { hasWords, inspectProcess, type ProcessIdentity } from "../system/process.ts";
import { resolveLinks } from "../system/paths.ts";
import { CHILD_MARK, CHILD_MARKS } from "./claude/child-marks.ts";

interface Place {
  relayDir: string;
  role: Role;
}

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

/** In it, an army keeps each role's MCP configuration, with which the agent is started. */
export const MCP_FOLDER = "mcp";

/** The flag by which agent programs receive the file. */
export const MCP_CONFIG_FLAG = "--mcp-config";

export function mcpConfigFile(relayDir: string, role: Role): string {
  return join(relayDir, MCP_FOLDER, `${role}.json`);
}

const SESSION_MARKS: ReadonlySet<string> = new Set(["ZELLIJ", "ZELLIJ_SESSION_NAME", "ZELLIJ_PANE_ID"]);

/**
 * Removes the marks of an agent or a Zellij session around us; with them, the army's programs would act as its
 * children.
 */
export function environmentForArmy(env: Environment): Environment {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !CHILD_MARKS.has(name) && !SESSION_MARKS.has(name)),
  );
}

/** Whether an agent program, of this army or not, has started this process. */
export function isMarkedByAgent(env: Environment): boolean {
  return Boolean(env[CHILD_MARK]);
}
