/**
 * Claude Code's hooks: the settings that make them report to the relay, what they report, and the answers in the form
 * that they expect. Pure.
 */
import * as z from "zod/mini";
import type { Verdict } from "../../mail/records/request.ts";
import { lazily } from "../../system/async.ts";
import { parseJson } from "../../system/json.ts";
import type { AgentSettings } from "../agent-program.ts";
import {
  HOOK_TOOL,
  RELAY_SERVER,
  type ConversationLoss,
  type HookCall,
  type HookEvent,
} from "../hook-call.ts";
import { decisionOf, readPermissionRequest } from "./permission-request.ts";
import { resetTimeIn } from "./reset-time.ts";

export const claudeHooks = {
  /** Undefined if this is not a report of the program's hooks. */
  read(input: object, timeOfDay: number): { call: HookCall; bySubagent: boolean } | undefined {
    const { data } = hookInput().safeParse(input);
    const name = HOOK_NAMES.find((each) => each === data?.["event"]);
    return data && name && { call: callOf(name, data, timeOfDay), bySubagent: Boolean(data["subagent"]) };
  },
  /** The answer that changes nothing: it is read like the output of a hook command. */
  nothing: "{}",
  /** The answer that makes an ending turn continue. */
  continueTurn: (text: string) => formatAnswer("Stop", { additionalContext: text }),
  /** How many times in a row a turn can be made to continue. */
  mostContinuations: 8,
  /** The answer that gives the model a text together with the results of its tools. */
  addToResults: (text: string) => formatAnswer("PostToolBatch", { additionalContext: text }),
  /** The answer that puts a text at the beginning of a new conversation. */
  remind: (text: string) => formatAnswer("SessionStart", { additionalContext: text }),
  /** The most characters such a text may have; the rest would be cut off. */
  mostContext: 10_000,
  forbidTool: (reason: string) =>
    formatAnswer("PreToolUse", { permissionDecision: "deny", permissionDecisionReason: reason }),
  /** The answer that applies the person's verdict to what this call, as `read` got it, asks for. */
  applyVerdict(input: object, verdict: Verdict): string {
    const asked = hookInput().safeParse(input).data ?? {};
    return formatAnswer("PermissionRequest", { decision: decisionOf(asked, verdict) });
  },
};

/** What we want from a hook, and what its event means. */
interface Hook {
  event: HookEvent;
  /** The tools or the sources that it is about; without it, all of them. */
  matcher?: string;
  /** What it says besides the usual; an object is filled in as JSON. */
  input?: Record<string, string>;
  /** How many seconds Claude Code waits for the answer. */
  timeout?: number;
}

/** A relay that hangs must not stop its agent for long at every tool. */
const PATIENCE_SECONDS = 10;

/**
 * The hooks we use. The end of a session is not among them, because Claude Code no longer calls servers then and
 * shows an error in the pane.
 */
const HOOKS = {
  UserPromptSubmit: { event: "prompted" },
  PreToolUse: {
    event: "tool-begins",
    // Only before our own tools, because it is there to keep subagents from using them.
    matcher: relayToolName(".*"),
    // Without an answer the tool would run, and a subagent would get the role's mail.
    timeout: 10 * 60,
  },
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
  Stop: {
    event: "turn-ended",
    // What it left running in the background, what it has put on its clock, and its answer.
    input: {
      background: "${background_tasks}",
      clock: "${session_crons}",
      words: "${last_assistant_message}",
    },
  },
  StopFailure: {
    event: "turn-failed",
    // The error that ended a turn: its kind, and the words shown to the person.
    input: { error: "${error}", words: "${error_details} ${last_assistant_message}" },
  },
  SessionStart: { event: "conversation-began" },
} as const satisfies Record<string, Hook>;

export type HookName = keyof typeof HOOKS;

export const HOOK_NAMES = Object.keys(HOOKS).filter((name): name is HookName => name in HOOKS);

/** What the settings have Claude Code fill in: texts, by the names that `formatHookSettings` gives them. */
const hookInput = lazily(() => z.record(z.string(), z.string()));

type HookInput = z.infer<ReturnType<typeof hookInput>>;

/**
 * The error of a turn that the person interrupted. Only the practice agent reports it; Claude Code calls no hook
 * then.
 */
const INTERRUPTED = "interrupted";
const LIMIT = "rate_limit";

const LOSSES: Readonly<Record<string, ConversationLoss>> = { clear: "cleared", compact: "compacted" };

function callOf(name: HookName, { tool = "", prompt = "", ...more }: HookInput, timeOfDay: number): HookCall {
  const { source = "", error = "", words = "", conversation: id = "", transcript = "", toolInput } = more;
  const event = HOOKS[name].event;
  const conversation = id === "" ? undefined : { id, transcript: transcript || undefined };
  const asksForMail = tool === relayToolName("check_inbox");
  const isNoWork = tool.startsWith(relayToolName("")) || NO_WORK.has(tool) || undefined;
  const call = { prompt, tool, asksForMail, isNoWork, conversation, toolInput };
  if (event === "asking") return { ...call, event, request: readPermissionRequest({ tool, ...more }) };
  if (event === "conversation-began") return { ...call, event, lost: LOSSES[source] };
  if (event === "prompted") return { ...call, event, isTyped: !NOT_TYPED.test(prompt) };
  if (event === "turn-ended")
    return { ...call, event, goesOn: goesOnAfter(more) || undefined, lastWords: words || undefined };
  if (event !== "turn-failed") return { ...call, event };
  if (error === INTERRUPTED) return { ...call, event: "turn-interrupted" };
  // The words of any other error may be the model's own, and a time in them would keep every bell silent.
  const until = error === LIMIT ? resetTimeIn(words, timeOfDay) : undefined;
  return { ...call, event, failure: { error: error || "unknown", until } };
}

/** Tools by which an agent only keeps its list or finds its other tools. */
const NO_WORK = new Set(["TodoWrite", "TaskCreate", "TaskGet", "TaskList", "TaskUpdate", "ToolSearch"]);

/** A bell, with or without the wrapping of the socket that it came by, and the end of what ran in the background. */
const NOT_TYPED = /^\s*(?:<cross-session-message [^>]*>\s*)?(?:\[MESSAGE from |<task-notification>)/;

const running = lazily(() => z.array(z.looseObject({ status: z.optional(z.string()) })));

function goesOnAfter({ background = "", clock = "" }: HookInput): boolean {
  const tasks = running().safeParse(parseJson(background)).data ?? [];
  const alarms = running().safeParse(parseJson(clock)).data ?? [];
  return alarms.length > 0 || tasks.some(({ status = "running" }) => status === "running");
}

function formatAnswer(hookEventName: HookName, output: object): string {
  return JSON.stringify({ hookSpecificOutput: { hookEventName, ...output } });
}

/** The name by which Claude Code calls a tool of the relay. */
function relayToolName(tool: string): string {
  return `mcp__${RELAY_SERVER}__${tool}`;
}

/**
 * The settings that an agent gets for one session, in the format of Claude Code's `--settings`: hooks that report to
 * the agent's own relay, no competing mail system, and no permission question about our own tools. The person's own
 * settings files are never changed. `starts` are the sources of SessionStart at which the agent can already reach its
 * relay.
 */
export function formatHookSettings(
  { secret, rights, env }: AgentSettings,
  starts: readonly string[],
): string {
  const { commands, reads, edits, hidden, unchanged, sealed } = rights;
  const usual = {
    secret,
    event: "${hook_event_name}",
    source: "${source}",
    tool: "${tool_name}",
    prompt: "${prompt}",
    /** Set if a subagent of the agent caused the event. */
    subagent: "${agent_id}",
    conversation: "${session_id}",
    transcript: "${transcript_path}",
  };
  const hooksOf = (name: HookName): object[] => {
    const { matcher, input, timeout = PATIENCE_SECONDS }: Hook = HOOKS[name];
    const call = { type: "mcp_tool", server: RELAY_SERVER, tool: HOOK_TOOL, input: { ...usual, ...input } };
    return [{ matcher: name === "SessionStart" ? starts.join("|") : matcher, hooks: [{ ...call, timeout }] }];
  };
  const settings = {
    permissions: {
      allow: [
        `mcp__${RELAY_SERVER}`,
        ...commands.map((beginning) => `Bash(${beginning} *)`),
        ...reads.map((folder) => `Read(${fromRoot(folder)}/**)`),
        ...edits.map((folder) => `Edit(${fromRoot(folder)}/**)`),
      ],
      deny: [
        "SendMessage",
        "ListAgents",
        ...hidden.map((path) => `Read(${anyNamed(path)})`),
        ...unchanged.map((path) => `Edit(${anyNamed(path)})`),
        ...sealed.flatMap(({ folder, but }) =>
          everyNameBut(but).map((names) => `Edit(${fromRoot(folder)}/${names})`),
        ),
      ],
    },
    // A suggested next prompt looks like a draft that somebody has typed, and costs one request per turn.
    promptSuggestionEnabled: false,
    env: { ...env, CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION: "false" },
    hooks: Object.fromEntries(HOOK_NAMES.map((name) => [name, hooksOf(name)])),
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

/**
 * Patterns for all names but one, which is a dot and small letters: a rule that denies cannot have an exception. Claude
 * Code does not know classes of what a character is not, and takes capital and small letters for the same.
 */
function everyNameBut(name: string): string[] {
  const beginnings = Array.from(name, (char, at) => ({ begun: name.slice(0, at), char }));
  return [
    ...beginnings.map(({ begun, char }) => `${begun}${othersThan(char)}*`),
    ...beginnings.slice(2).map(({ begun }) => begun),
    `${name}?*`,
  ];
}

function othersThan(char: string): string {
  // A slash ends a name.
  if (char === ".") return "[ --0-\uFFFF]";
  const [first, second, third, fourth] = [char.toUpperCase(), char].flatMap((each) =>
    [-1, 1].map((by) => String.fromCharCode(each.charCodeAt(0) + by)),
  );
  return `[ -${first}${second}-${third}${fourth}-\uFFFF]`;
}
