// The official SDK's server with the same name, texts and tools as our relay, as a reference for its protocol. Usage:
// node reference-server.mjs JSON, with { name, version, instructions, tools }
import { ProtocolError, ProtocolErrorCode, Server } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";

const { name, version, instructions, tools } = JSON.parse(process.argv[2]);

serveStdio(() => {
  const server = new Server({ name, version }, { capabilities: { tools: {} }, instructions });
  server.setRequestHandler("tools/list", () => ({ tools }));
  server.setRequestHandler("tools/call", ({ params }) => {
    if (!tools.some((tool) => tool.name === params.name)) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, "no such tool");
    }
    return { content: [{ type: "text", text: "[]" }] };
  });
  return server;
});
