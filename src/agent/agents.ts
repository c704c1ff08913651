/** The agent programs there are. */
import type { AgentName } from "../army/agent-names.ts";
import type { AgentProgram } from "./agent-program.ts";
import { claude } from "./claude/claude.ts";
import { practice } from "./practice/practice.ts";

export const AGENTS: Readonly<Record<AgentName, AgentProgram>> = { claude, practice };
