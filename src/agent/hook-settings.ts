/**
 * The settings an agent gets for this one session, in the format of Claude Code's `--settings`: hooks that call the
 * agent's own relay, so that it knows how its agent is; no rival mail system; no question about our own tools. The
 * person's own settings files are never touched.
 */

/** The server's name in the MCP configuration. */
export const RELAY_SERVER = "ovld-relay";

/** A tool of the relay that is not in its list: hooks call it, models do not see it. */
export const HOOK_TOOL = "agent_event";

/**
 * What a hook tells the relay. The end of a session is not among them: by then Claude Code calls no server any more,
 * and says so in the pane. That an agent is gone is seen from its relay, which ends with it.
 */
export const HOOK_EVENTS = [
  "UserPromptSubmit",
  "PreToolUse",
  "PermissionRequest",
  "PostToolUse",
  "PostToolUseFailure",
  "Stop",
  "StopFailure",
  "SessionStart",
] as const;

export type HookEvent = (typeof HOOK_EVENTS)[number];

/** Folders in which an agent may do something without asking the person, and where it may not at all. */
export interface FolderRights {
  reads: readonly string[];
  edits: readonly string[];
  /** Files and folders that hold secrets. */
  hidden: readonly string[];
  editsNothingIn: readonly string[];
}

const NO_RIGHTS: FolderRights = { reads: [], edits: [], hidden: [], editsNothingIn: [] };

/** `starts`: the sources of SessionStart at which the agent can already reach its relay. */
export function printHookSettings(
  secret: string,
  starts: readonly string[],
  { reads, edits, hidden, editsNothingIn }: FolderRights = NO_RIGHTS,
): string {
  const input = {
    secret,
    event: "${hook_event_name}",
    source: "${source}",
    tool: "${tool_name}",
    prompt: "${prompt}",
    subagent: "${agent_id}",
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
        ...hidden.flatMap((path) => [`Read(${fromRoot(path)})`, `Read(${everythingIn(path)})`]),
        ...editsNothingIn.map((folder) => `Edit(${everythingIn(folder)})`),
      ],
    },
    // The bell comes through the session's own socket, from the relay, which is its child.
    crossSessionInbound: "accept",
    hooks: Object.fromEntries(
      HOOK_EVENTS.map((event) => [
        event,
        [{ ...matcherOf(event, starts), hooks: [hook(event === "StopFailure" ? FAILURE : {})] }],
      ]),
    ),
  };
  return `${JSON.stringify(settings, undefined, 2)}\n`;
}

/** A pattern as in a .gitignore file; two slashes make it begin at the root of the file system. */
function fromRoot(path: string): string {
  return `/${path.replaceAll(/[\\[\]*?!#()]/g, String.raw`\$&`)}`;
}

function everythingIn(folder: string): string {
  return `${fromRoot(folder)}/**`;
}

/** What a turn died of: its kind, and the words in which the person is told. */
const FAILURE = { error: "${error}", words: "${error_details} ${last_assistant_message}" };

function matcherOf(event: HookEvent, starts: readonly string[]): { matcher?: string } {
  if (event === "SessionStart") return { matcher: starts.join("|") };
  // Before our own tools alone: it is there to keep subagents from them.
  return event === "PreToolUse" ? { matcher: `mcp__${RELAY_SERVER}__.*` } : {};
}
