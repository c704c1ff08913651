// Poses as an agent program in a pane: records how it was started, starts the MCP server that it was given, and
// records every byte typed into it. Like Claude Code, it registers itself, as idle. It draws a composer like Claude Code's and empties it on Enter. If
// stubborn, it does not end when its terminal does. RECORDER_PLAN says, for each role, what else is unusual about it:
// it `exits` at once, is `slow` and draws nothing before a file exists, starts its relay only `after` a file exists,
// `asks` something first, starts with a draft (`drafts`), or is `deaf` to its first Enter.
import { spawn } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { StringDecoder } from "node:string_decoder";
import { setTimeout as pause } from "node:timers/promises";

const folder = process.env.RECORDER_DIR;
const config = process.argv[process.argv.indexOf("--mcp-config") + 1];
const server = JSON.parse(readFileSync(config, "utf8")).mcpServers["ovld-relay"];
const role = server.env.OVLD_ROLE;
const oddity = JSON.parse(process.env.RECORDER_PLAN ?? "{}")[role] ?? {};
if (oddity.exits) process.exit(3);

const composer = { drawn: false, before: [], after: [], deaf: Boolean(oddity.deaf) };
/** A paste, a key, or a character. */
const KEY = /\u001b\[200~[^]*?\u001b\[201~|\u001b\[[0-9;]*[A-Za-z~]|[^]/gu;
const [PASTE_BEGIN, PASTE_END] = ["\u001b[200~", "\u001b[201~"];
const decoder = new StringDecoder("utf8");
let unfinished = "";
let trusted = () => {};

if (process.env.RECORDER_STUBBORN) process.on("SIGHUP", () => {});
if (process.stdin.isTTY) process.stdin.setRawMode(true);
process.stdin.on("data", (bytes) => {
  appendFileSync(join(folder, `${role}.bytes`), bytes);
  const typed = decoder.write(bytes);
  trusted(typed);
  const input = unfinished + typed;
  // A long paste arrives in several reads.
  const begun = input.lastIndexOf(PASTE_BEGIN);
  const whole = begun > input.lastIndexOf(PASTE_END) ? begun : input.length;
  unfinished = input.slice(whole);
  for (const [key] of input.slice(0, whole).matchAll(KEY)) press(key);
  draw();
});
// If the terminal is gone, the signal reports it, not an error.
process.stdin.on("error", () => {});
process.stdout.on("resize", draw);
process.on("uncaughtException", () => {});

const QUESTIONS = {
  trust: ["Do you trust it?", "", "❯ No, exit", "  Yes, I trust this folder"],
  auto: ["Make auto mode", "your default", "permission mode?", "", "❯ 1. Yes", "  2. No"],
};
if (oddity.asks) {
  show(QUESTIONS[oddity.asks]);
  await new Promise((resolve) => (trusted = (typed) => typed === "y" && resolve()));
  composer.before = [];
}
while (oddity.slow && !existsSync(oddity.slow)) await pause(20);
composer.drawn = true;
register();
composer.before.push(...(oddity.drafts ?? ""));
draw();

while (oddity.after && !existsSync(oddity.after)) await pause(20);

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
  // In one step, because the test reads the file as soon as it exists.
  writeFileSync(join(folder, `${role}.tmp`), JSON.stringify(recording));
  renameSync(join(folder, `${role}.tmp`), join(folder, `${role}.json`));
});
setInterval(() => {}, 1 << 30);

/** What Claude Code's composer does with the keys that ovld presses; a paste is one unit, like a folded one there. */
function press(key) {
  const { before, after } = composer;
  if (key === "\u001b[H" || key === "\u0001") after.unshift(...before.splice(0));
  else if (key === "\u001b[F" || key === "\u0005") before.push(...after.splice(0));
  else if (key === "\u001b[C") before.push(...after.splice(0, 1));
  else if (key === "\u001b[D") after.unshift(...before.splice(-1));
  else if (key === "\u007f") before.pop();
  else if (key === "\u001b[3~") after.shift();
  else if (key === "\r" && before.at(-1) === "\\") before.splice(-1, 1, "\n");
  else if (key === "\r") {
    appendFileSync(join(folder, `${role}.enters`), "!");
    if (composer.deaf) composer.deaf = false;
    else submit();
  } else if (!key.startsWith("\u001b") || key.startsWith("\u001b[200~")) {
    const text = key.startsWith("\u001b") ? key.slice(6, -6) : key;
    // A short paste has as many units as characters.
    before.push(...(text.length > 800 || text.split("\n").length > 3 ? [text] : Array.from(text)));
  }
}

/** Without a home nothing is written outside of the test's own folder. */
function register() {
  const { CLAUDE_CONFIG_DIR, HOME } = process.env;
  const claude = CLAUDE_CONFIG_DIR ?? (HOME && join(HOME, ".claude"));
  if (!claude) return;
  mkdirSync(join(claude, "sessions"), { recursive: true });
  const entry = { pid: process.pid, status: "idle", statusUpdatedAt: Date.now() };
  writeFileSync(join(claude, "sessions", `${process.pid}.json`), JSON.stringify(entry));
}

function submit() {
  const prompt = [...composer.before, ...composer.after].join("");
  composer.before = [];
  composer.after = [];
  if (prompt.trim() !== "") appendFileSync(join(folder, `${role}.prompts`), `${JSON.stringify(prompt)}\n`);
}

function draw() {
  if (!composer.drawn) return;
  const width = (process.stdout.columns || 40) - 1;
  const shown = [...composer.before, ...composer.after]
    .map((unit) => (unit.length > 2 ? `[Pasted text #1 +${unit.split("\n").length - 1} lines]` : unit))
    .join("");
  const lines = shown
    .split("\n")
    .flatMap((line) => line.match(new RegExp(`.{1,${width - 2}}`, "gu")) ?? [""]);
  const drawn = lines.map((line, index) => `${index === 0 ? "❯\u00a0" : "  "}${line}`);
  show(["─".repeat(width), ...drawn, "─".repeat(width)], { cursor: 1 + drawn.length });
}

function show(lines, { cursor } = {}) {
  const place = cursor === undefined ? "" : `\u001b[${cursor};3H`;
  process.stdout.write(`\u001b[2J\u001b[H${lines.join("\r\n")}${place}`);
}
