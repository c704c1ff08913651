/** The agent's connection to its MCP server: the official client, over stdio, for as long as the server runs. */
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import type { Environment } from "../../config/environment.ts";
import { cleanLine } from "../../system/clean-text.ts";
import { VERSION } from "../../system/version.ts";
import type { McpServer } from "./mcp-config.ts";

export interface ToolAnswer {
  text: string;
  failed: boolean;
}

export interface ToolLink {
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

export interface LinkListener {
  /** The server has ended by itself. */
  lost(): void;
  /** A line from its stderr. */
  complaint(line: string): void;
}

export function openToolLink(server: McpServer, env: Environment, listener: LinkListener): ToolLink {
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
