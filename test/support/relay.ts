/** A real relay with the official client at its other end. */
import { Client, type CallToolResult, type VersionNegotiationMode } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import type { Role } from "../../src/army/roles.ts";
import { OVLD } from "./ovld.ts";
import type { Sandbox } from "./sandbox.ts";

export function relayEnv(sandbox: Sandbox, role: Role): Record<string, string> {
  return { ...sandbox.env, OVLD_ROLE: role, OVLD_RELAY_DIR: sandbox.relayDir, OVLD_SESSION: "test" };
}

interface Answer {
  text: string;
  /** The parsed answer; a sentence stays a string. */
  json: any;
  /** The text after it. */
  remark?: string;
  /** What the model does not see. */
  meta?: Record<string, unknown>;
  isError: boolean;
}

export interface RelayClient {
  client: Client;
  pid: number;
  call: (tool: string, args?: Record<string, unknown>) => Promise<Answer>;
  close: () => Promise<void>;
}

export interface RelayStart {
  mode?: VersionNegotiationMode;
  /** Words before the command, to run it under a limit. */
  prefix?: string[];
  /** Another Node, or another copy of the program, instead of this project's own. */
  node?: string;
  program?: string;
  /** Additional variables, or other values for them. */
  env?: Record<string, string>;
}

export async function startRelay(sandbox: Sandbox, role: Role, start: RelayStart = {}): Promise<RelayClient> {
  const { prefix = [], node = process.execPath, program = OVLD } = start;
  const [command, ...args] = [...prefix, node, program, "relay"];
  const env = { ...relayEnv(sandbox, role), ...start.env };
  const transport = new StdioClientTransport({ command, args, env, stderr: "pipe" });
  const client = new Client(
    { name: "test", version: "0" },
    { versionNegotiation: { mode: start.mode ?? "legacy" } },
  );
  const close = (): Promise<void> => client.close();
  sandbox.defer(close);
  await client.connect(transport);
  const call = async (tool: string, args_: Record<string, unknown> = {}): Promise<Answer> =>
    readAnswer(await client.callTool({ name: tool, arguments: args_ }));
  return { client, pid: transport.pid ?? 0, call, close };
}

function readAnswer(result: CallToolResult): Answer {
  const [part, remark, ...others] = result.content;
  const { _meta: meta } = result;
  if (part?.type !== "text" || others.length > 0) throw new Error("expected a text and at most a remark");
  return {
    text: part.text,
    json: parseOrKeep(part.text),
    ...(remark?.type === "text" && { remark: remark.text }),
    ...(meta && { meta }),
    isError: result.isError ?? false,
  };
}

function parseOrKeep(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
