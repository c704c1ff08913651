/**
 * The settings that an agent gets for one session, in the format of Claude Code's `--settings`: hooks that report to
 * the agent's own relay, no competing mail system, and no permission question about our own tools. The person's own
 * settings files are never changed.
 */

import type { FolderRights } from "../agent-program.ts";
import { HOOK_TOOL, RELAY_SERVER } from "../hook-call.ts";

/**
 * The hooks we use. The end of a session is not among them, because Claude Code no longer calls servers then and
 * shows an error in the pane.
 */
export const HOOK_NAMES = [
  "UserPromptSubmit",
  "PreToolUse",
  "PermissionRequest",
  "PostToolUse",
  "PostToolUseFailure",
  "PostToolBatch",
  "Stop",
  "StopFailure",
  "SessionStart",
] as const;

export type HookName = (typeof HOOK_NAMES)[number];

/** The name by which Claude Code calls a tool of the relay. */
export function relayToolName(tool: string): string {
  return `mcp__${RELAY_SERVER}__${tool}`;
}

export interface HookSettings {
  /** The secret by which the relay recognises its own agent. */
  secret: string;
  /** The sources of SessionStart at which the agent can already reach its relay. */
  starts: readonly string[];
  rights: FolderRights;
}

export function printHookSettings({ secret, starts, rights }: HookSettings): string {
  const { reads, edits, hidden, unchanged } = rights;
  const input = {
    secret,
    event: "${hook_event_name}",
    source: "${source}",
    tool: "${tool_name}",
    prompt: "${prompt}",
    subagent: "${agent_id}",
    conversation: "${session_id}",
    transcript: "${transcript_path}",
  };
  const hook = (more: object) => ({
    type: "mcp_tool",
    server: RELAY_SERVER,
    tool: HOOK_TOOL,
    input: { ...input, ...more },
  });
  const settings = {
    permissions: {
      allow: [
        `mcp__${RELAY_SERVER}`,
        ...reads.map((folder) => `Read(${everythingIn(folder)})`),
        ...edits.map((folder) => `Edit(${everythingIn(folder)})`),
      ],
      deny: [
        "SendMessage",
        "ListAgents",
        ...hidden.map((path) => `Read(${anyNamed(path)})`),
        ...unchanged.map((path) => `Edit(${anyNamed(path)})`),
      ],
    },
    // A suggested next prompt looks like a draft that somebody has typed, and costs one request per turn.
    promptSuggestionEnabled: false,
    env: { CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION: "false" },
    hooks: Object.fromEntries(
      HOOK_NAMES.map((name) => [
        name,
        [{ ...matcherOf(name, starts), hooks: [{ ...hook(INPUTS[name] ?? {}), ...TIMEOUTS[name] }] }],
      ]),
    ),
  };
  return `${JSON.stringify(settings, undefined, 2)}\n`;
}

/** A pattern as in a .gitignore file; two slashes anchor it at the root of the file system. */
function fromRoot(path: string): string {
  return `/${path.replaceAll(/[\\[\]*?!#()]/g, String.raw`\$&`)}`;
}

/** A pattern for a file, or for a folder with everything in it. */
function anyNamed(path: string): string {
  return fromRoot(path).replaceAll(/\/\\\*(?=\/|$)/g, "/*");
}

function everythingIn(folder: string): string {
  return `${fromRoot(folder)}/**`;
}

/** What a hook says besides the usual; an object is filled in as JSON. */
const INPUTS: Partial<Record<HookName, object>> = {
  /** The error that ended a turn: its kind, and the words shown to the person. */
  StopFailure: { error: "${error}", words: "${error_details} ${last_assistant_message}" },
  /** What the person is asked, and what the dialog offers them besides a single yes. */
  PermissionRequest: { toolInput: "${tool_input}", suggestions: "${permission_suggestions}" },
  /** Shows which request the person has answered in the pane. */
  PostToolUse: { toolInput: "${tool_input}" },
  PostToolUseFailure: { toolInput: "${tool_input}" },
};

/**
 * In seconds. Claude Code waits for a hook, ten minutes if nothing else is said, and a relay that hangs must not stop its
 * agent for that long at every tool.
 */
const PATIENCE = { timeout: 10 };
const TIMEOUTS: Record<HookName, object> = {
  UserPromptSubmit: PATIENCE,
  // Without an answer the tool would run, and a subagent would get the role's mail.
  PreToolUse: {},
  // While this call is open, the person may answer outside the pane; the dialog stays usable meanwhile.
  PermissionRequest: { timeout: 7 * 24 * 60 * 60 },
  PostToolUse: PATIENCE,
  PostToolUseFailure: PATIENCE,
  PostToolBatch: PATIENCE,
  Stop: PATIENCE,
  StopFailure: PATIENCE,
  SessionStart: PATIENCE,
};

function matcherOf(name: HookName, starts: readonly string[]): { matcher?: string } {
  if (name === "SessionStart") return { matcher: starts.join("|") };
  // Only before our own tools, because it is there to keep subagents from using them.
  return name === "PreToolUse" ? { matcher: relayToolName(".*") } : {};
}
