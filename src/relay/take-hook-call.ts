/** Handles a call of the unlisted tool, by which a hook of this relay's own agent reports what the agent does. */
import type { AgentHooks } from "../agent/agent-link.ts";
import type { HookCall } from "../agent/hook-call.ts";
import type { CallResult } from "./protocol.ts";

/** A subagent that reads the role's mail would keep it from the agent, and nobody could answer what it sends. */
const KEEP_OFF =
  "Mail is for the agent of this role, not for its subagents. Give the agent that started you what you found or want sent; it reads and writes the mail.";

interface HookTaker {
  /** Known only to the army's hooks; undefined if there are none. */
  secret: string | undefined;
  hooks: () => AgentHooks;
  /** Called only if the secret is correct. Returns the answer to the hook, if any; a person's answer takes its time. */
  hear: (call: HookCall) => string | undefined | Promise<string | undefined>;
  /** The same for what a subagent does. */
  hearSubagent: (call: HookCall) => void;
  /** For a limit that names the time of its reset. */
  timeOfDay: number;
}

/** Returns what the hook should tell its agent. */
export function takeHookCall(
  input: object,
  { secret, hooks, hear, hearSubagent, timeOfDay }: HookTaker,
): CallResult | Promise<CallResult> {
  const isKnown = secret !== undefined && "secret" in input && input.secret === secret;
  const heard = isKnown ? hooks().read(input, timeOfDay) : undefined;
  if (heard === undefined)
    return say("This tool is for the hooks of the army alone. Nothing was done.", true);
  const { nothing, forbidTool } = hooks();
  const { call, bySubagent } = heard;
  // A subagent's activity says nothing about the agent, which may be idle or asking the person in the meantime. Its own
  // requests are not held: Claude Code shows their dialog only after this answer.
  if (bySubagent) {
    hearSubagent(call);
    return say(call.event === "tool-begins" ? forbidTool(KEEP_OFF) : nothing, false);
  }
  const answer = hear(call);
  if (answer instanceof Promise) return answer.then((words) => say(words ?? nothing, false));
  return say(answer ?? nothing, false);
}

function say(words: string, isError: boolean): CallResult {
  return { result: { content: [{ type: "text", text: words }], ...(isError && { isError }) } };
}
