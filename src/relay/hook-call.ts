/** A call of the unlisted tool: a hook of this relay's own agent telling what the agent does. */
import * as z from "zod/mini";
import { HOOK_EVENTS } from "../agent/hook-settings.ts";
import type { HookCall } from "../bell/agent-watch.ts";
import { lazily } from "../system/lazily.ts";
import type { CallResult } from "./protocol.ts";

const hookInput = lazily(() => {
  const text = z.optional(z.string());
  return z.object({
    secret: z.string(),
    event: z.enum(HOOK_EVENTS),
    source: text,
    tool: text,
    prompt: text,
    error: text,
    words: text,
    /** Set where a subagent of the agent has done it. */
    subagent: text,
  });
});

/** A subagent that reads its role's mail keeps it from the agent, and what it sends nobody can answer. */
const KEEP_OFF = JSON.stringify({
  hookSpecificOutput: {
    hookEventName: "PreToolUse",
    permissionDecision: "deny",
    permissionDecisionReason:
      "Mail is for the agent of this role, not for its subagents. Give the agent that started you what you found or want sent; it reads and writes the mail.",
  },
});

/** Answers with what the hook shall tell its agent; `hear` is called only if the secret is the right one. */
export function takeHookCall(
  input: object,
  secret: string | undefined,
  hear: (call: HookCall) => string | undefined,
): CallResult {
  const parsed = hookInput().safeParse(input);
  if (!parsed.success || secret === undefined || parsed.data.secret !== secret) {
    return say("This tool is for the hooks of the army alone. Nothing was done.", true);
  }
  const { event, source = "", tool = "", prompt = "" } = parsed.data;
  const { error = "", words = "", subagent = "" } = parsed.data;
  // What a subagent does tells nothing of the agent itself, which may be idle or ask a person meanwhile.
  if (subagent !== "") return say(event === "PreToolUse" ? KEEP_OFF : "{}", false);
  // Read like a hook command's output: an empty object decides nothing and adds nothing.
  return say(hear({ event, source, tool, prompt, error, words }) ?? "{}", false);
}

function say(words: string, isError: boolean): CallResult {
  return { result: { content: [{ type: "text", text: words }], ...(isError && { isError }) } };
}
