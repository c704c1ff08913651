/** A call of the unlisted tool: a hook of this relay's own agent telling what the agent does. */
import type { AgentHooks } from "../agent/agent-link.ts";
import type { HookCall } from "../agent/hook-call.ts";
import type { CallResult } from "./protocol.ts";

/** A subagent that reads its role's mail keeps it from the agent, and what it sends nobody can answer. */
const KEEP_OFF =
  "Mail is for the agent of this role, not for its subagents. Give the agent that started you what you found or want sent; it reads and writes the mail.";

interface HookTaker {
  /** Known to the hooks of the army alone; undefined where there are none. */
  secret: string | undefined;
  hooks: () => AgentHooks;
  /** Called only if the secret is the right one. Returns the answer, if there is something to say. */
  hear: (call: HookCall) => string | undefined;
}

/** Answers with what the hook shall tell its agent. */
export function takeHookCall(input: object, { secret, hooks, hear }: HookTaker): CallResult {
  const isKnown = secret !== undefined && "secret" in input && input.secret === secret;
  const heard = isKnown ? hooks().read(input) : undefined;
  if (heard === undefined)
    return say("This tool is for the hooks of the army alone. Nothing was done.", true);
  const { nothing, forbidTool } = hooks();
  const { call, bySubagent } = heard;
  // What a subagent does tells nothing of the agent itself, which may be idle or ask a person meanwhile.
  if (bySubagent) return say(call.event === "tool-begins" ? forbidTool(KEEP_OFF) : nothing, false);
  return say(hear(call) ?? nothing, false);
}

function say(words: string, isError: boolean): CallResult {
  return { result: { content: [{ type: "text", text: words }], ...(isError && { isError }) } };
}
