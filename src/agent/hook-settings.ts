/**
 * The settings an agent gets for this one session, in the format of Claude Code's `--settings`: hooks that call the
 * agent's own relay, so that it knows how its agent is; no rival mail system; no question about our own tools. The
 * person's own settings files are never touched.
 */

/** The server's name in the MCP configuration. */
export const RELAY_SERVER = "ovld-relay";

/** A tool of the relay that is not in its list: hooks call it, models do not see it. */
export const HOOK_TOOL = "agent_event";

/** What a hook tells the relay. */
export const HOOK_EVENTS = [
  "UserPromptSubmit",
  "PermissionRequest",
  "PostToolUse",
  "PostToolUseFailure",
  "Stop",
  "StopFailure",
  "SessionStart",
  "SessionEnd",
] as const;

export type HookEvent = (typeof HOOK_EVENTS)[number];

/** Folders in which an agent may do something without asking the person. */
export interface FolderRights {
  reads: readonly string[];
  edits: readonly string[];
}

const NO_RIGHTS: FolderRights = { reads: [], edits: [] };

/** `starts`: the sources of SessionStart at which the agent can already reach its relay. */
export function printHookSettings(
  secret: string,
  starts: readonly string[],
  { reads, edits }: FolderRights = NO_RIGHTS,
): string {
  const input = {
    secret,
    event: "${hook_event_name}",
    source: "${source}",
    tool: "${tool_name}",
    prompt: "${prompt}",
  };
  const hook = { type: "mcp_tool", server: RELAY_SERVER, tool: HOOK_TOOL, input };
  const settings = {
    permissions: {
      allow: [
        `mcp__${RELAY_SERVER}`,
        ...reads.map((folder) => `Read(${everythingIn(folder)})`),
        ...edits.map((folder) => `Edit(${everythingIn(folder)})`),
      ],
      deny: ["SendMessage", "ListAgents"],
    },
    // The bell comes through the session's own socket, from the relay, which is its child.
    crossSessionInbound: "accept",
    hooks: Object.fromEntries(
      HOOK_EVENTS.map((event) => [
        event,
        [{ ...(event === "SessionStart" && { matcher: starts.join("|") }), hooks: [hook] }],
      ]),
    ),
  };
  return `${JSON.stringify(settings, undefined, 2)}\n`;
}

/** A pattern as in a .gitignore file; two slashes make it begin at the root of the file system. */
function everythingIn(folder: string): string {
  return `/${folder.replaceAll(/[\\[\]*?!#()]/g, String.raw`\$&`)}/**`;
}
