/**
 * The agent's connection to its relay, by the official MCP client over stdio: its tools, and the hooks, which use the
 * same connection. If it breaks, the agent keeps running.
 */
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import type { Environment } from "../../system/run-program.ts";
import type { Texts } from "../../i18n/texts.ts";
import { cleanLine } from "../../system/clean-text.ts";
import { VERSION } from "../../system/version.ts";
import type { HookName } from "../claude/hooks.ts";
import {
  additionalContext,
  decisionIn,
  hookCalls,
  type Decision,
  type EventData,
  type HookSettings,
  type PracticeHookCall,
} from "./hooks.ts";
import type { McpServer } from "./mcp-config.ts";
import type { PracticeConversation } from "./memory.ts";
import type { Recorder } from "./script.ts";
import type { Stage } from "./stage.ts";

export interface ToolAnswer {
  text: string;
  failed: boolean;
}

export interface RelayLine {
  /**
   * Starts the relay and lists its tools once `ready` resolves. Never throws: a dead relay is shown in the
   * transcript.
   */
  open(ready: () => Promise<void>): Promise<void>;
  /** Calls a tool, then fires the hooks for it; `got` receives the answer before a hook reports that it arrived. */
  call(
    tool: string,
    input: Record<string, unknown>,
    signal: AbortSignal,
    got: (answer: ToolAnswer) => void,
  ): Promise<ToolAnswer>;
  /** Fires the hooks for a question; resolves with a decision, or with undefined if they decide nothing. */
  ask(data: EventData, withdrawn: AbortSignal): Promise<Decision | undefined>;
  /** Fires the hooks for an event; returns what they add to the conversation. */
  fire(event: HookName, data: EventData): Promise<string | undefined>;
  /** Ends the relay, whatever it is doing. */
  close(): Promise<void>;
}

export interface LineEnds {
  server: McpServer;
  settings: HookSettings;
  env: Environment;
  stage: Pick<Stage, "note">;
  texts: Texts["play"];
  record: Recorder;
  conversation: PracticeConversation | undefined;
}

export function createRelayLine(ends: LineEnds): RelayLine {
  const { server, settings, stage, texts, record, conversation } = ends;
  const { id = "", transcript = "", isResumed } = conversation ?? {};
  const { client, transport } = prepareClient(server, {
    ...ends.env,
    ...(conversation && { CLAUDE_CODE_SESSION_ID: id }),
  });
  let isLive = false;
  let isClosing = false;
  const lose = (): void => {
    if (isClosing) return;
    isLive = false;
    stage.note(texts.withoutRelay);
  };
  // The client is not an event target.
  // oxlint-disable-next-line unicorn/prefer-add-event-listener
  client.onclose = lose;
  transport.stderr?.on("data", (text: Buffer) => {
    for (const line of text.toString().split("\n"))
      if (line !== "") stage.note(texts.relaySays(cleanLine(line)));
  });
  /** Throws if the relay is gone or `signal` is aborted; the relay is notified of that. */
  const use = async (
    tool: string,
    input: Record<string, unknown>,
    options: { signal?: AbortSignal; timeout?: number } = {},
  ): Promise<ToolAnswer> => {
    const { content, isError = false } = await client.callTool({ name: tool, arguments: input }, options);
    const text = content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
    return { text, failed: isError };
  };
  const hooksFor = (event: HookName, data: EventData): PracticeHookCall[] => {
    record({ event: "hook", hook: event });
    if (!isLive) return [];
    const facts = { ...data, session_id: id, transcript_path: transcript };
    return hookCalls(settings, event, facts).filter((hook) => hook.server === server.name);
  };
  const fire = async (event: HookName, data: EventData): Promise<string | undefined> => {
    for (const { tool, input } of hooksFor(event, data)) {
      // A hook that fails has no effect.
      const answer = await use(tool, input).catch(() => undefined);
      const context = answer && !answer.failed ? additionalContext(event, answer.text) : undefined;
      if (context === undefined) continue;
      stage.note(context);
      return context;
    }
    return undefined;
  };
  return {
    async open(ready) {
      try {
        await client.connect(transport);
        isLive = true;
        await ready();
        const { tools } = await client.listTools();
        record({ event: "ready", tools: tools.map(({ name }) => name) });
        await fire("SessionStart", { source: isResumed ? "resume" : "startup" });
      } catch {
        lose();
      }
    },
    async call(tool, input, signal, got) {
      const about = { tool_name: `mcp__${server.name}__${tool}` };
      await fire("PreToolUse", about);
      if (!isLive) return { text: texts.withoutRelay, failed: true };
      const answer = await use(tool, input, { signal });
      got(answer);
      record({ event: "tool called", tool, failed: answer.failed });
      await fire("PostToolUse", about);
      return answer;
    },
    fire,
    async ask(data, signal) {
      for (const { tool, input, timeout } of hooksFor("PermissionRequest", data)) {
        const options = { signal, ...(timeout !== undefined && { timeout: timeout * 1_000 }) };
        const answer = await use(tool, input, options).catch(() => undefined);
        const decision = answer && !answer.failed ? decisionIn(answer.text) : undefined;
        if (decision !== undefined) return decision;
      }
      return undefined;
    },
    async close() {
      isClosing = true;
      // Not `client.close()`, which only knows a server that has answered.
      await transport.close();
    },
  };
}

function prepareClient(
  { command, args, env: own }: McpServer,
  given: Environment,
): { client: Client; transport: StdioClientTransport } {
  const inherited = Object.entries(given).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  const env = { ...Object.fromEntries(inherited), ...own };
  const transport = new StdioClientTransport({ command, args, env, stderr: "pipe" });
  const client = new Client(
    { name: "ovld-practice", version: VERSION },
    // Claude Code, too, uses the older handshake with servers over stdio.
    { versionNegotiation: { mode: "legacy" } },
  );
  return { client, transport };
}
