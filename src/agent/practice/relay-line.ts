/**
 * The agent's connection to its relay: its tools, and the hooks, which use the same connection. If it breaks, the
 * agent keeps running.
 */
import type { Texts } from "../../i18n/texts.ts";
import type { Environment } from "../../system/run-program.ts";
import type { HookName } from "../claude/hook-settings.ts";
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
import type { Recorder } from "./script.ts";
import type { Stage } from "./stage.ts";
import type { PracticeConversation } from "./memory.ts";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { cleanLine } from "../../system/clean-text.ts";
import { VERSION } from "../../system/version.ts";

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
  const { id, transcript, isResumed } = conversation ?? {};
  const where = { session_id: id ?? "", transcript_path: transcript ?? "" };
  const env = { ...ends.env, ...(id !== undefined && { CLAUDE_CODE_SESSION_ID: id }) };
  let closing = false;
  const lose = (): void => {
    if (closing) return;
    live = undefined;
    record({ event: "relay lost" });
    stage.note(texts.withoutRelay);
  };
  const complaint = (line: string): void => stage.note(texts.relaySays(line));
  const link = openToolLink(server, env, { lost: lose, complaint });
  let live: ToolLink | undefined;
  const hooksFor = (event: HookName, data: EventData): PracticeHookCall[] => {
    record({ event: "hook", hook: event });
    return hookCalls(settings, event, { ...data, ...where }).filter((hook) => hook.server === server.name);
  };
  const fire = async (event: HookName, data: EventData): Promise<string | undefined> => {
    for (const { tool, input } of hooksFor(event, data)) {
      // A hook that fails has no effect.
      const answer = await live?.call(tool, input).catch(() => undefined);
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
        await link.connect();
        live = link;
        await ready();
        record({ event: "ready", tools: await link.tools() });
        await fire("SessionStart", { source: isResumed ? "resume" : "startup" });
      } catch {
        lose();
      }
    },
    async call(tool, input, signal, got) {
      const about = { tool_name: `mcp__${server.name}__${tool}` };
      if (live) await fire("PreToolUse", about);
      if (!live) return { text: texts.withoutRelay, failed: true };
      const answer = await live.call(tool, input, signal);
      got(answer);
      record({ event: "tool called", tool, failed: answer.failed });
      await fire("PostToolUse", about);
      return answer;
    },
    fire,
    async ask(data, withdrawn) {
      for (const { tool, input, timeout } of hooksFor("PermissionRequest", data)) {
        const patienceMs = timeout === undefined ? undefined : timeout * 1_000;
        const answer = await live?.call(tool, input, withdrawn, patienceMs).catch(() => undefined);
        const decision = answer && !answer.failed ? decisionIn(answer.text) : undefined;
        if (decision !== undefined) return decision;
      }
      return undefined;
    },
    async close() {
      closing = true;
      await link.close();
    },
  };
}

/** The agent's connection to its MCP server: the official client, over stdio, for as long as the server runs. */

export interface ToolAnswer {
  text: string;
  failed: boolean;
}

interface ToolLink {
  /** Starts the server and completes the handshake. */
  connect(): Promise<void>;
  tools(): Promise<string[]>;
  /**
   * Throws if the server is gone or `signal` is aborted; the server is notified of that. `patienceMs` is how long to
   * wait for an answer, if not as long as usual.
   */
  call(
    tool: string,
    input: Record<string, unknown>,
    signal?: AbortSignal,
    patienceMs?: number,
  ): Promise<ToolAnswer>;
  /** Ends the server, whatever it is doing. */
  close(): Promise<void>;
}

interface LinkListener {
  /** The server has ended by itself. */
  lost(): void;
  /** A line from its stderr. */
  complaint(line: string): void;
}

function openToolLink(server: McpServer, env: Environment, listener: LinkListener): ToolLink {
  const { command, args } = server;
  const inherited = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const transport = new StdioClientTransport({
    command,
    args,
    env: { ...Object.fromEntries(inherited), ...server.env },
    stderr: "pipe",
  });
  transport.stderr?.on("data", (text: Buffer) => {
    for (const line of text.toString().split("\n")) if (line !== "") listener.complaint(cleanLine(line));
  });
  const client = new Client(
    { name: "ovld-practice", version: VERSION },
    // Claude Code, too, uses the older handshake with servers over stdio.
    { versionNegotiation: { mode: "legacy" } },
  );
  let closing = false;
  // The client is not an event target.
  // oxlint-disable-next-line unicorn/prefer-add-event-listener
  client.onclose = () => {
    if (!closing) listener.lost();
  };
  return {
    connect: () => client.connect(transport),
    async call(tool, input, signal, patienceMs) {
      const { content, isError = false } = await client.callTool(
        { name: tool, arguments: input },
        { ...(signal && { signal }), ...(patienceMs !== undefined && { timeout: patienceMs }) },
      );
      const text = content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
      return { text, failed: isError };
    },
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    async close() {
      closing = true;
      // Not `client.close()`, which only knows a server that has answered.
      await transport.close();
    },
  };
}
