// Poses as an agent program in a pane: writes down what it was given, starts the MCP server it was told of, and
// records every byte that is typed into it. Stubborn, it does not go when its terminal does.
import { spawn } from "node:child_process";
import { appendFileSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const folder = process.env.RECORDER_DIR;
const config = process.argv[process.argv.indexOf("--mcp-config") + 1];
const server = JSON.parse(readFileSync(config, "utf8")).mcpServers["ovld-relay"];
const role = server.env.OVLD_ROLE;

if (process.env.RECORDER_STUBBORN) process.on("SIGHUP", () => {});
if (process.stdin.isTTY) process.stdin.setRawMode(true);
process.stdin.on("data", (bytes) => appendFileSync(join(folder, `${role}.bytes`), bytes));
// A terminal that is gone is for the signal to tell, not for an error.
process.stdin.on("error", () => {});
process.on("uncaughtException", () => {});

const relay = spawn(server.command, server.args, {
  env: { ...process.env, ...server.env },
  stdio: ["pipe", "pipe", "ignore"],
});
const ask = (id, method, params) =>
  relay.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
ask(1, "initialize", {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "recorder", version: "0" },
});
ask(2, "tools/list");
let answers = 0;
relay.stdout.setEncoding("utf8").on("data", (text) => {
  answers += text.split("\n").length - 1;
  if (answers < 2) return;
  const { argv, env, pid } = process;
  const recording = { argv, env, pid, relay: relay.pid, cwd: process.cwd() };
  // In one step, because the test reads it as soon as it is there.
  writeFileSync(join(folder, `${role}.tmp`), JSON.stringify(recording));
  renameSync(join(folder, `${role}.tmp`), join(folder, `${role}.json`));
});
setInterval(() => {}, 1 << 30);
