// The least an MCP server can be: one without tools. It writes a file when its tools are listed: bare-server.mjs FILE
import { writeFileSync } from "node:fs";
import { createInterface } from "node:readline";

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const about = {
    protocolVersion: params?.protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "bare", version: "0" },
  };
  const results = { initialize: about, "tools/list": { tools: [] } };
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result: results[method] ?? {} })}\n`);
  if (method === "tools/list") writeFileSync(process.argv[2], "");
});
