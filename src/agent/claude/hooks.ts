/** What Claude Code's hooks say when they call the relay, and how an answer has to be written for them. Pure. */
import * as z from "zod/mini";
import { lazily } from "../../system/lazily.ts";
import type { AgentHooks } from "../agent-link.ts";
import type { ConversationLoss, HookCall, HookEvent } from "../hook-call.ts";
import { HOOK_NAMES, relayToolName, type HookName } from "./hook-settings.ts";
import { resetTimeIn } from "./reset-time.ts";

export const claudeHooks: AgentHooks = {
  read(input) {
    const { data } = hookInput().safeParse(input);
    return data && { call: callOf(data), bySubagent: Boolean(data.subagent) };
  },
  // Read like a hook command's output: an empty object decides nothing and adds nothing.
  nothing: "{}",
  continueTurn: (text) => print("Stop", { additionalContext: text }),
  mostContinuations: 8,
  remind: (text) => print("SessionStart", { additionalContext: text }),
  mostContext: 10_000,
  forbidTool: (reason) =>
    print("PreToolUse", { permissionDecision: "deny", permissionDecisionReason: reason }),
};

/** As `hook-settings.ts` has it filled in. */
const hookInput = lazily(() => {
  const text = z.optional(z.string());
  return z.object({
    event: z.enum(HOOK_NAMES),
    source: text,
    tool: text,
    prompt: text,
    error: text,
    words: text,
    /** Set where a subagent of the agent has done it. */
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
  Stop: "turn-ended",
  StopFailure: "turn-failed",
  SessionStart: "conversation-began",
} as const satisfies Record<HookName, HookEvent>;

/** The error of a turn that was not cut short by anything but the person; Claude Code itself tells no hook of that. */
const INTERRUPTED = "interrupted";

const LOSSES: Readonly<Record<string, ConversationLoss>> = { clear: "cleared", compact: "compacted" };

function callOf({ event: name, tool = "", prompt = "", ...more }: HookInput): HookCall {
  const { source = "", error = "", words = "" } = more;
  const event = EVENTS[name];
  const call = { prompt, tool, asksForMail: tool === relayToolName("check_inbox") };
  if (event === "conversation-began") return { ...call, event, lost: LOSSES[source] };
  if (event !== "turn-failed") return { ...call, event };
  if (error === INTERRUPTED) return { ...call, event: "turn-interrupted" };
  const until = resetTimeIn(words, Date.now());
  return { ...call, event, failure: { error: error || "unknown", until } };
}

function print(hookEventName: HookName, output: object): string {
  return JSON.stringify({ hookSpecificOutput: { hookEventName, ...output } });
}
