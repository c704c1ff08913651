// Poses as an agent program in a pane: writes down what it was given, starts the MCP server it was told of, and
// records every byte that is typed into it, with its time. It draws a composer as Claude Code does and empties it on
// Enter. Stubborn, it does not go when its terminal does. RECORDER_PLAN says, for each role, what else is odd about
// it: `exits` at once, is `slow` by so many milliseconds, `asks` for trust first, or is `deaf` to its first Enter.
import { spawn } from "node:child_process";
import { appendFileSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

const folder = process.env.RECORDER_DIR;
const config = process.argv[process.argv.indexOf("--mcp-config") + 1];
const server = JSON.parse(readFileSync(config, "utf8")).mcpServers["ovld-relay"];
const role = server.env.OVLD_ROLE;
const oddity = JSON.parse(process.env.RECORDER_PLAN ?? "{}")[role] ?? {};
if (oddity.exits) process.exit(3);

const ENTER = "\r";
const composer = { drawn: false, text: "", deaf: Boolean(oddity.deaf) };
let trusted = () => {};

if (process.env.RECORDER_STUBBORN) process.on("SIGHUP", () => {});
if (process.stdin.isTTY) process.stdin.setRawMode(true);
process.stdin.on("data", (bytes) => {
  appendFileSync(join(folder, `${role}.bytes`), bytes);
  const typed = bytes.toString();
  appendFileSync(
    join(folder, `${role}.times`),
    `${JSON.stringify({ at: Date.now(), enter: typed === ENTER })}\n`,
  );
  trusted(typed);
  if (typed !== ENTER) composer.text += typed;
  else if (composer.deaf) composer.deaf = false;
  else composer.text = "";
  draw();
});
// A terminal that is gone is for the signal to tell, not for an error.
process.stdin.on("error", () => {});
process.stdout.on("resize", draw);
process.on("uncaughtException", () => {});

if (oddity.asks) {
  show(["Do you trust it?", "", "❯ No, exit", "  Yes, I trust this folder"]);
  await new Promise((resolve) => (trusted = (typed) => typed === "y" && resolve()));
  composer.text = "";
}
if (oddity.slow) await pause(oddity.slow);
composer.drawn = true;
draw();

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

function draw() {
  if (!composer.drawn) return;
  const width = (process.stdout.columns || 40) - 1;
  const { text } = composer;
  const shown = text.length > width - 2 || text.includes("\n") ? `[${text.length}]` : text;
  show(["─".repeat(width), `❯\u00a0${shown}`, "─".repeat(width)]);
}

function show(lines) {
  process.stdout.write(`\u001b[2J\u001b[H${lines.join("\r\n")}`);
}
