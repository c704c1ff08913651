/**
 * Claude Code's hooks: the settings that make them report to the relay, what they report, and the answers in the form
 * that they expect. Pure.
 */
import * as z from "zod/mini";
import { lazily } from "../../system/async.ts";
import type { AgentHooks } from "../agent-link.ts";
import type { FolderRights } from "../agent-program.ts";
import {
  HOOK_TOOL,
  RELAY_SERVER,
  type ConversationLoss,
  type HookCall,
  type HookEvent,
} from "../hook-call.ts";
import { decide, readPermissionRequest } from "./permission-request.ts";
import { resetTimeIn } from "./reset-time.ts";

export const claudeHooks: AgentHooks = {
  read(input, timeOfDay) {
    const { data } = hookInput().safeParse(input);
    return data && { call: callOf(data, timeOfDay), bySubagent: Boolean(data.subagent) };
  },
  // Read like the output of a hook command: an empty object decides nothing and adds nothing.
  nothing: "{}",
  continueTurn: (text) => formatAnswer("Stop", { additionalContext: text }),
  addToResults: (text) => formatAnswer("PostToolBatch", { additionalContext: text }),
  mostContinuations: 8,
  remind: (text) => formatAnswer("SessionStart", { additionalContext: text }),
  mostContext: 10_000,
  forbidTool: (reason) =>
    formatAnswer("PreToolUse", { permissionDecision: "deny", permissionDecisionReason: reason }),
  applyVerdict(input, verdict) {
    const asked = hookInput().safeParse(input).data ?? {};
    return formatAnswer("PermissionRequest", { decision: decide(asked, verdict) });
  },
};

/** What we want from a hook, and what its event means. */
interface Hook {
  event: HookEvent;
  /** What it says besides the usual; an object is filled in as JSON. */
  input?: Record<string, string>;
  /** How many seconds Claude Code waits for the answer. */
  timeout?: number;
}

/**
 * The hooks we use. The end of a session is not among them, because Claude Code no longer calls servers then and
 * shows an error in the pane.
 */
const HOOKS = {
  UserPromptSubmit: { event: "prompted" },
  PreToolUse: { event: "tool-begins" },
  PermissionRequest: {
    event: "asking",
    // What the person is asked, and what the dialog offers them besides a single yes.
    input: { toolInput: "${tool_input}", suggestions: "${permission_suggestions}" },
    // While this call is open, the person may answer outside the pane; the dialog stays usable meanwhile.
    timeout: 7 * 24 * 60 * 60,
  },
  // The input shows which request the person has answered in the pane.
  PostToolUse: { event: "tool-ended", input: { toolInput: "${tool_input}" } },
  PostToolUseFailure: { event: "tool-ended", input: { toolInput: "${tool_input}" } },
  PostToolBatch: { event: "tools-ended" },
  Stop: { event: "turn-ended" },
  StopFailure: {
    event: "turn-failed",
    // The error that ended a turn: its kind, and the words shown to the person.
    input: { error: "${error}", words: "${error_details} ${last_assistant_message}" },
  },
  SessionStart: { event: "conversation-began" },
} as const satisfies Record<string, Hook>;

export type HookName = keyof typeof HOOKS;

export const HOOK_NAMES = Object.keys(HOOKS).filter((name): name is HookName => name in HOOKS);

/** The input that the settings have Claude Code fill in. */
const hookInput = lazily(() => {
  const text = z.optional(z.string());
  return z.object({
    event: z.enum(HOOK_NAMES),
    source: text,
    tool: text,
    prompt: text,
    error: text,
    words: text,
    conversation: text,
    transcript: text,
    toolInput: text,
    suggestions: text,
    /** Set if a subagent of the agent caused the event. */
    subagent: text,
  });
});

type HookInput = z.infer<ReturnType<typeof hookInput>>;

/**
 * The error of a turn that the person interrupted. Only the practice agent reports it; Claude Code calls no hook
 * then.
 */
const INTERRUPTED = "interrupted";
const LIMIT = "rate_limit";

const LOSSES: Readonly<Record<string, ConversationLoss>> = { clear: "cleared", compact: "compacted" };

function callOf({ event: name, tool = "", prompt = "", ...more }: HookInput, timeOfDay: number): HookCall {
  const { source = "", error = "", words = "", conversation: id = "", transcript = "", toolInput } = more;
  const event = HOOKS[name].event;
  const conversation = id === "" ? undefined : { id, transcript: transcript || undefined };
  const asksForMail = tool === relayToolName("check_inbox");
  const call = { prompt, tool, asksForMail, conversation, toolInput };
  if (event === "asking") return { ...call, event, request: readPermissionRequest({ tool, ...more }) };
  if (event === "conversation-began") return { ...call, event, lost: LOSSES[source] };
  if (event !== "turn-failed") return { ...call, event };
  if (error === INTERRUPTED) return { ...call, event: "turn-interrupted" };
  // The words of any other error may be the model's own, and a time in them would keep every bell silent.
  const until = error === LIMIT ? resetTimeIn(words, timeOfDay) : undefined;
  return { ...call, event, failure: { error: error || "unknown", until } };
}

function formatAnswer(hookEventName: HookName, output: object): string {
  return JSON.stringify({ hookSpecificOutput: { hookEventName, ...output } });
}

/** The name by which Claude Code calls a tool of the relay. */
function relayToolName(tool: string): string {
  return `mcp__${RELAY_SERVER}__${tool}`;
}

interface HookSettings {
  /** The secret by which the relay recognises its own agent. */
  secret: string;
  /** The sources of SessionStart at which the agent can already reach its relay. */
  starts: readonly string[];
  rights: FolderRights;
}

/**
 * The settings that an agent gets for one session, in the format of Claude Code's `--settings`: hooks that report to
 * the agent's own relay, no competing mail system, and no permission question about our own tools. The person's own
 * settings files are never changed.
 */
export function formatHookSettings({ secret, starts, rights }: HookSettings): string {
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
  const hook = ({ input: more }: Hook) => ({
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
        [{ ...matcherOf(name, starts), hooks: [{ ...hook(HOOKS[name]), ...patienceFor(name) }] }],
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

/**
 * Claude Code waits for a hook, ten minutes if nothing else is said, and a relay that hangs must not stop its agent for
 * that long at every tool. Only before a tool it waits: without an answer the tool would run, and a subagent would get
 * the role's mail.
 */
function patienceFor(name: HookName): Pick<Hook, "timeout"> {
  const { timeout = 10 }: Hook = HOOKS[name];
  return name === "PreToolUse" ? {} : { timeout };
}

function matcherOf(name: HookName, starts: readonly string[]): { matcher?: string } {
  if (name === "SessionStart") return { matcher: starts.join("|") };
  // Only before our own tools, because it is there to keep subagents from using them.
  return name === "PreToolUse" ? { matcher: relayToolName(".*") } : {};
}
