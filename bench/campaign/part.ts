/** The terms in which a campaign is planned: which role does what after which dispatches. */
import type { Role } from "../../src/army/roles.ts";
import type { Priority, StatusWord } from "../../src/army/words.ts";
import type { ToolUse } from "../../test/support/model.ts";

/** What the person at the keyboard does with an agent. */
export interface Errand {
  act: "type" | "accept" | "refuse" | "interrupt";
  role: Role;
  /** The text to type; a Claude Code command is typed when the agent is idle. */
  text?: string;
}

/** One answer of the model. */
export interface Step {
  /** How long the model thinks first, in milliseconds. */
  after: number;
  /** Tools to call at once; an error with that HTTP status; or nothing, until the person presses Esc. */
  answer: ToolUse[] | number | "nothing";
  errand?: Errand;
}

/** What a role does once all these dispatches have reached it. */
export interface Part {
  role: Role;
  when: string[];
  steps: Step[];
}

/** Writes what belongs to one round, and counts it. */
export interface Pen {
  random: (limit: number) => number;
  /** A dispatch's name in this round. */
  mark: (name: string) => string;
  send: (name: string, to: Role, more?: { priority?: Priority; status?: StatusWord }) => ToolUse;
  broadcast: (name: string) => ToolUse;
  /** What the person types, so that it can be recognised later. */
  say: (name: string) => string;
}

export const RELAY_TOOL = "mcp__ovld-relay__";
export const CHECK_INBOX = `${RELAY_TOOL}check_inbox`;

export function relayTool(name: string, input: object): ToolUse {
  return { tool: `${RELAY_TOOL}${name}`, input };
}

export function setStatus(status: StatusWord, task: string): ToolUse {
  return relayTool("update_status", { status, task });
}

export function bash(command: string, more: object = {}): ToolUse {
  return { tool: "Bash", input: { command, description: "work", ...more } };
}
