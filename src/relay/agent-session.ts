/**
 * What a relay does for its own agent, as a list of parts: each is started, hears what the agent's hooks report, and is
 * closed.
 *
 * The session begins when the client lists the tools, not before: a client may start a relay only to ask what it is.
 */
import type { AgentHooks } from "../agent/agent-link.ts";
import type { HookCall } from "../agent/hook-call.ts";
import type { Message } from "../mail/store/message.ts";
import type { Call, CallResult } from "./protocol.ts";
import { tryUntilDone } from "../system/async.ts";

/** Starts a part; undefined if this relay has none of its kind. What fails is tried again later. */
export type StartPart = () => AgentPart | undefined;

export interface AgentPart {
  /** A hook of the agent has reported. Returns what to answer the hook with, if this part has an answer. */
  hear?(call: HookCall, hook: Hook): HookAnswer;
  /** The same for what a subagent does. */
  hearSubagent?(call: HookCall): void;
  /** The agent has asked for its mail, and these messages are being handed over. */
  wasAsked?(messages: readonly Message[]): void;
  close?(): void;
}

/** The hook's own call: what it was called with, and whether its answer is taken. */
interface Hook extends Pick<Call, "onDropped"> {
  input: object;
}

/** A person's answer takes its time. */
type HookAnswer = string | undefined | Promise<string | undefined>;

interface SessionOptions {
  /** Known only to the army's hooks; undefined if there are none. */
  secret: string | undefined;
  hooks: () => AgentHooks | undefined;
  /** In the order in which they are started. */
  parts: readonly StartPart[];
  /** Errors are reported, not thrown: the mail works without presence and bell. */
  complainOf: (error: unknown) => void;
}

export type AgentSession = ReturnType<typeof openAgentSession>;

/** A subagent that reads the role's mail would keep it from the agent, and nobody could answer what it sends. */
const KEEP_OFF =
  "Mail is for the agent of this role, not for its subagents. Give the agent that started you what you found or want sent; it reads and writes the mail.";

export function openAgentSession({ secret, hooks, parts, complainOf }: SessionOptions) {
  const waiting = [...parts];
  const running: AgentPart[] = [];
  let starting: { close(): void } | undefined;

  function startAll(): true {
    for (let [start] = waiting; start !== undefined; [start] = waiting) {
      const part = start();
      if (part) running.push(part);
      waiting.shift();
    }
    return true;
  }

  return {
    /** The client has listed the tools: the agent's session begins. */
    onListed(): void {
      starting ??= tryUntilDone(startAll, complainOf);
    },
    /** One of the agent's hooks has called. */
    onHook(input: object, hookCall: Call): CallResult | Promise<CallResult> {
      const isKnown = secret !== undefined && "secret" in input && input.secret === secret;
      // For a limit that names the time of its reset.
      const known = isKnown ? hooks() : undefined;
      const heard = known?.read(input, Date.now());
      if (known === undefined || heard === undefined)
        return say("This tool is for the hooks of the army alone. Nothing was done.", true);
      const { nothing, forbidTool } = known;
      const { call, bySubagent } = heard;
      // A subagent's activity says nothing about the agent, which may be idle or asking the person in the meantime. Its
      // own requests are not held: Claude Code shows their dialog only after this answer.
      if (bySubagent) {
        for (const part of running) part.hearSubagent?.(call);
        return say(call.event === "tool-begins" ? forbidTool(KEEP_OFF) : nothing);
      }
      const hook: Hook = { input, onDropped: (action) => hookCall.onDropped(action) };
      const answers = running.map((part) => part.hear?.(call, hook));
      const answer = answers.find((each) => each !== undefined);
      if (answer instanceof Promise) return answer.then((words) => say(words ?? nothing));
      return say(answer ?? nothing);
    },
    onAsked(messages: readonly Message[]): void {
      for (const part of running) part.wasAsked?.(messages);
    },
    close(): void {
      starting?.close();
      for (const part of running.toReversed()) part.close?.();
    },
  };
}

function say(words: string, isError = false): CallResult {
  return { result: { content: [{ type: "text", text: words }], ...(isError && { isError }) } };
}
