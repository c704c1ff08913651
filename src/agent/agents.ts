/** The available agent programs. */
import type { AgentName } from "../army/words.ts";
import type { Settings } from "../config/settings.ts";
import type { AgentProgram } from "./agent-program.ts";
import { claude } from "./claude/claude.ts";
import { practice } from "./practice/practice.ts";

export const AGENTS: Readonly<Record<AgentName, AgentProgram>> = { claude, practice };

/**
 * The program that must be installed; the person may have configured another than the usual one. Undefined if it is
 * part of ovld.
 */
export function programNeeded(
  { programs }: Pick<Settings, "programs">,
  { name, needs }: AgentProgram,
): string | undefined {
  return programs[name] ?? needs;
}
