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
  });
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
  // Read like a hook command's output: an empty object decides nothing and adds nothing.
  return say(hear({ event, source, tool, prompt }) ?? "{}", false);
}

function say(words: string, isError: boolean): CallResult {
  return { result: { content: [{ type: "text", text: words }], ...(isError && { isError }) } };
}
