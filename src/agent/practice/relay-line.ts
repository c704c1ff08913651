/**
 * The agent's connection to its relay, by the official MCP client over stdio: its tools, and the hooks, which use the
 * same connection. Both are described by files in Claude Code's formats. If the connection breaks, the agent keeps
 * running.
 */
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import * as z from "zod/mini";
import { ROLES } from "../../army/roles.ts";
import type { Texts } from "../../i18n/texts.ts";
import { cleanLine } from "../../system/clean-text.ts";
import { parseJson } from "../../system/json.ts";
import type { Environment } from "../../system/run-program.ts";
import { VERSION } from "../../system/version.ts";
import type { HookName } from "../claude/hooks.ts";
import { RELAY_SERVER } from "../hook-call.ts";
import { readJsonFile, type Recorder } from "./script.ts";
import type { AgentStage } from "./stage.ts";

const relayServer = z.object({
  command: z.string(),
  args: z.array(z.string()),
  env: z.catchall(z.object({ OVLD_ROLE: z.enum(ROLES), OVLD_RELAY_DIR: z.string() }), z.string()),
});

export type RelayServer = z.infer<typeof relayServer>;

const mcpConfig = z.object({ mcpServers: z.object({ [RELAY_SERVER]: relayServer }) });

/** An agent of the army has no other server. */
export function readMcpConfig(path: string): RelayServer {
  return readJsonFile(path, mcpConfig).mcpServers[RELAY_SERVER];
}

/** A hook calls a tool of the relay; the time to wait for its answer is in seconds. */
const hook = z.object({
  tool: z.string(),
  input: z.record(z.string(), z.string()),
  timeout: z.optional(z.number()),
});

/** As in Claude Code's `--settings`. */
const settingsFile = z.object({
  env: z.optional(z.record(z.string(), z.string())),
  hooks: z.record(z.string(), z.array(z.object({ matcher: z.optional(z.string()), hooks: z.array(hook) }))),
});

export type HookSettings = z.infer<typeof settingsFile>["hooks"];

export function readAgentSettings(path: string): z.infer<typeof settingsFile> {
  return readJsonFile(path, settingsFile);
}

/** What an event says besides its name. */
export type EventData = Readonly<Record<string, string>>;

/** The calls to make for this event. A matcher is about the source of a session, or about a tool. */
export function hookCalls(settings: HookSettings, event: HookName, data: EventData): z.infer<typeof hook>[] {
  const facts: EventData = { ...data, hook_event_name: event };
  const fillIn = (text: string): string =>
    text.replaceAll(/\$\{([^}]*)\}/g, (_all, name: string) => facts[name] ?? "");
  const subject = data["source"] ?? data["tool_name"] ?? "";
  return (settings[event] ?? [])
    .filter(({ matcher = ".*" }) => new RegExp(`^(?:${matcher})$`).test(subject))
    .flatMap(({ hooks }) => hooks)
    .map(({ input, ...call }) => ({
      ...call,
      input: Object.fromEntries(Object.entries(input).map(([name, text]) => [name, fillIn(text)])),
    }));
}

const hookAnswer = z.object({
  hookSpecificOutput: z.object({
    hookEventName: z.string(),
    additionalContext: z.optional(z.string()),
    /** What the person has decided about a question that is open in the pane. */
    decision: z.optional(z.unknown()),
  }),
});

export type HookOutput = Partial<z.infer<typeof hookAnswer>["hookSpecificOutput"]>;

/** Empty if the answer is not one to this event. */
export function outputIn(answer: string, event: HookName): HookOutput {
  const output = hookAnswer.safeParse(parseJson(answer)).data?.hookSpecificOutput;
  return output?.hookEventName === event ? output : {};
}

export interface ToolAnswer {
  text: string;
  failed: boolean;
}

interface AgentStart {
  server: RelayServer;
  settings: HookSettings;
  env: Environment;
  texts: Texts["play"];
}

interface LineEnds {
  stage: Pick<AgentStage, "note">;
  record: Recorder;
  /** The conversation and the file it is in, if the agent keeps a memory. */
  id: string | undefined;
  transcript: string | undefined;
}

export type RelayLine = ReturnType<typeof createRelayLine>;

export function createRelayLine({ server, settings, env, texts }: AgentStart, ends: LineEnds) {
  const { stage, record, id = "", transcript = "" } = ends;
  const given = { ...env, ...(id && { CLAUDE_CODE_SESSION_ID: id }), ...server.env };
  const inherited = Object.entries(given).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  const transport = new StdioClientTransport({
    ...server,
    env: Object.fromEntries(inherited),
    stderr: "pipe",
  });
  // Claude Code, too, uses the older handshake with servers over stdio.
  const client = new Client(
    { name: "ovld-practice", version: VERSION },
    { versionNegotiation: { mode: "legacy" } },
  );
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
  /** Throws if the connection breaks or `signal` is aborted; the relay is notified of that. */
  const call = async (
    tool: string,
    input: Record<string, unknown>,
    options: { signal?: AbortSignal; timeout?: number } = {},
  ): Promise<ToolAnswer> => {
    if (!isLive) return { text: texts.withoutRelay, failed: true };
    const { content, isError = false } = await client.callTool({ name: tool, arguments: input }, options);
    const text = content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
    return { text, failed: isError };
  };
  return {
    /** Starts the relay; returns the names of its tools, or undefined if it is dead, which is shown in the transcript. */
    async open(ready: () => Promise<void>): Promise<string[] | undefined> {
      try {
        await client.connect(transport);
        isLive = true;
        await ready();
        const { tools } = await client.listTools();
        return tools.map(({ name }) => name);
      } catch {
        lose();
        return undefined;
      }
    },
    call,
    /** Calls the hooks for an event; returns what the first one says that says anything. */
    async fire(event: HookName, data: EventData, signal?: AbortSignal): Promise<HookOutput> {
      record("hook", { hook: event });
      const facts = { ...data, session_id: id, transcript_path: transcript };
      for (const { tool, input, timeout } of hookCalls(settings, event, facts)) {
        const options = { ...(signal && { signal }), ...(timeout && { timeout: timeout * 1_000 }) };
        // A hook that fails has no effect.
        const { text } = await call(tool, input, options).catch(() => ({ text: "" }));
        const output = outputIn(text, event);
        if (output.additionalContext) stage.note(output.additionalContext);
        if (output.additionalContext || output.decision) return output;
      }
      return {};
    },
    async close() {
      isClosing = true;
      // Not `client.close()`, which only knows a server that has answered.
      await transport.close();
    },
  };
}
