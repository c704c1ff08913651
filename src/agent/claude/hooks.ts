/** Reads what Claude Code's hooks report to the relay, and writes the answers in the form they expect. Pure. */
import * as z from "zod/mini";
import { lazily } from "../../system/async.ts";
import type { AgentHooks } from "../agent-link.ts";
import type { ConversationLoss, HookCall, HookEvent } from "../hook-call.ts";
import { HOOK_NAMES, relayToolName, type HookName } from "./hook-settings.ts";
import { decide, readPermissionRequest } from "./permission-request.ts";
import { resetTimeIn } from "./reset-time.ts";

export const claudeHooks: AgentHooks = {
  read(input, timeOfDay) {
    const { data } = hookInput().safeParse(input);
    return data && { call: callOf(data, timeOfDay), bySubagent: Boolean(data.subagent) };
  },
  // Read like the output of a hook command: an empty object decides nothing and adds nothing.
  nothing: "{}",
  continueTurn: (text) => print("Stop", { additionalContext: text }),
  addToResults: (text) => print("PostToolBatch", { additionalContext: text }),
  mostContinuations: 8,
  remind: (text) => print("SessionStart", { additionalContext: text }),
  mostContext: 10_000,
  forbidTool: (reason) =>
    print("PreToolUse", { permissionDecision: "deny", permissionDecisionReason: reason }),
  applyVerdict(input, verdict) {
    const asked = hookInput().safeParse(input).data ?? {};
    return print("PermissionRequest", { decision: decide(asked, verdict) });
  },
};

/** The input that `hook-settings.ts` has Claude Code fill in. */
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

const EVENTS = {
  UserPromptSubmit: "prompted",
  PreToolUse: "tool-begins",
  PermissionRequest: "asking",
  PostToolUse: "tool-ended",
  PostToolUseFailure: "tool-ended",
  PostToolBatch: "tools-ended",
  Stop: "turn-ended",
  StopFailure: "turn-failed",
  SessionStart: "conversation-began",
} as const satisfies Record<HookName, HookEvent>;

/**
 * The error of a turn that the person interrupted. Only the practice agent reports it; Claude Code calls no hook
 * then.
 */
const INTERRUPTED = "interrupted";
const LIMIT = "rate_limit";

const LOSSES: Readonly<Record<string, ConversationLoss>> = { clear: "cleared", compact: "compacted" };

function callOf({ event: name, tool = "", prompt = "", ...more }: HookInput, timeOfDay: number): HookCall {
  const { source = "", error = "", words = "", conversation: id = "", transcript = "", toolInput } = more;
  const event = EVENTS[name];
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

function print(hookEventName: HookName, output: object): string {
  return JSON.stringify({ hookSpecificOutput: { hookEventName, ...output } });
}
