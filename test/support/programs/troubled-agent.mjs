// Draws a composer and records what is typed into it: troubled-agent.mjs FILE TROUBLE. TROUBLE is JSON, or null: what
// it shows instead of its composer or below it (`shows`), and after what (`after`). A turn is also written to `registry`,
// as the entry of the process `pid`.
import { appendFileSync, writeFileSync } from "node:fs";

const [, , file, json] = process.argv;
const trouble = JSON.parse(json);
const RULE = `${"─".repeat(20)}\r\n`;
const KEY = /\u001b\[[0-9;]*[A-Za-z~]|[^]/gu;
let text = "";
let shown = "nothing";

process.stdin.setRawMode(true);
process.stdin.on("data", (bytes) => {
  appendFileSync(file, bytes);
  const keys = bytes.toString().replaceAll(/\u001b\[20[01]~/g, "");
  for (const [key] of keys.matchAll(KEY)) press(key);
  draw();
});
draw();

function press(key) {
  if (key.length > 1) {
    // Home, Delete and the like: as many Deletes remove all our text.
    if (key.endsWith("~")) text = text.slice(1);
    return;
  }
  if (key === "\r" || trouble?.after === "a letter") shown = trouble?.shows ?? "nothing";
  if (shown === "a turn") {
    const entry = { pid: trouble.pid, status: "busy", statusUpdatedAt: Date.now() };
    writeFileSync(trouble.registry, JSON.stringify(entry));
  }
  if (key === "\r") text = "";
  else if (key === "\u007f" || key === "\b") text = text.slice(0, -1);
  else text += key;
}

function draw() {
  const composer = `${RULE}❯\u00a0${text}\r\n${RULE}`;
  const below = shown === "a turn" ? "esc to interrupt" : "";
  const screen = shown === "a dialog" ? "❯ 1. Yes\r\n  2. No" : composer;
  process.stdout.write(`\u001b[2J\u001b[H${screen}${below}\u001b[2;3H`);
}
