import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openTranscript, decisionIn } from "../../../../src/agent/claude/transcript.ts";
import { makeSandbox } from "../../../support/sandbox.ts";

let clock = 0;
const line = (type: string, more: object): object => ({
  type,
  isSidechain: false,
  timestamp: new Date(Date.UTC(2026, 10, 16, 3, 0, (clock += 1))).toISOString(),
  ...more,
});
const prompt = (content: unknown): object => line("user", { message: { role: "user", content } });
const call = (id: string, name: string): object =>
  line("assistant", {
    message: { content: [{ type: "tool_use", id, name, input: {} }], stop_reason: "tool_use" },
  });
const result = (id: string): object => prompt([{ type: "tool_result", tool_use_id: id, content: "ok" }]);
const says = (stop: string | null): object =>
  line("assistant", { message: { content: [{ type: "text", text: "fine" }], stop_reason: stop } });
const failed = { ...says("stop_sequence"), isApiErrorMessage: true };
const bystanders = [
  { type: "mode", mode: "normal" },
  { type: "last-prompt", lastPrompt: "x" },
];
const hooked = line("system", { subtype: "stop_hook_summary", hookAdditionalContext: ["mail"] });
const interrupted = prompt([{ type: "text", text: "[Request interrupted by user]" }]);

it.each<[string, object[], object | undefined]>([
  ["a prompt without an answer", [prompt("hi")], { in: "answer" }],
  ["a finished answer", [prompt("hi"), says("end_turn"), ...bystanders], undefined],
  ["an answer that goes on with a tool", [prompt("hi"), says("tool_use")], { in: "answer" }],
  ["a tool call without a result", [prompt("hi"), call("1", "Bash")], { in: "tool", tool: "Bash" }],
  [
    "two tool calls and one result",
    [prompt("hi"), call("1", "Bash"), call("2", "Edit"), result("1")],
    { in: "tool", tool: "Edit" },
  ],
  ["a tool's result without an answer", [prompt("hi"), call("1", "Bash"), result("1")], { in: "answer" }],
  ["an Esc", [prompt("hi"), call("1", "Bash"), result("1"), interrupted], undefined],
  [
    "a tool call that was cut off in an earlier turn",
    [prompt("hi"), call("1", "Bash"), prompt("again"), says("end_turn")],
    undefined,
  ],
  [
    "a prompt without an answer, after a tool call that was cut off in an earlier turn",
    [prompt("hi"), call("1", "Bash"), prompt("again")],
    { in: "answer" },
  ],
  ["mail that came at the end of a turn", [prompt("hi"), says("end_turn"), hooked], { in: "answer" }],
  [
    "a prompt that waited for the turn's end",
    [prompt("hi"), says("end_turn"), line("attachment", { attachment: { type: "queued_command" } })],
    { in: "answer" },
  ],
  [
    "a command of the pane's own",
    [prompt("hi"), says("end_turn"), prompt("<command-name>/status</command-name>")],
    undefined,
  ],
  [
    "a subagent at work after the turn",
    [prompt("hi"), says("end_turn"), { ...call("9", "Bash"), isSidechain: true }],
    undefined,
  ],
  ["an API error", [prompt("hi"), says("stop_sequence")], undefined],
  ["nothing but settings", bystanders, undefined],
])("a transcript that ends in %s tells whether the turn was over", async (_what, lines, expected) => {
  await using sandbox = makeSandbox();
  const path = join(sandbox.root, "t.jsonl");
  writeFileSync(path, lines.map((each) => `${JSON.stringify(each)}\n`).join(""));
  const { at: _, ...found } = openTranscript(path).cutOff() ?? { at: "" };
  expect(found).toEqual(expected ?? {});
});

it("a damaged transcript is read as far as it is intact", async () => {
  await using sandbox = makeSandbox();
  const path = join(sandbox.root, "t.jsonl");
  const whole = [prompt("hi"), call("1", "Bash")].map((each) => JSON.stringify(each));
  writeFileSync(path, `${whole.join("\n")}\ngarbage\n{"type":"user","mess`);
  const transcript = openTranscript(path);
  expect(transcript.hasPrompt()).toBe(true);
  expect(transcript.cutOff()).toMatchObject({ in: "tool", tool: "Bash" });
  expect(transcript.lastAt()).toMatch(/^2026-11-16T03:00:/);
});

it("a prompt is found by its text, however it is escaped, and mail by its id", async () => {
  await using sandbox = makeSandbox();
  const path = join(sandbox.root, "t.jsonl");
  const ritual = '# Storm\n\n"check_inbox" 認証\n';
  writeFileSync(
    path,
    `${JSON.stringify(prompt(ritual.trim()))}\n${JSON.stringify(result("0mwhao51k000-924ybx"))}\n`,
  );
  const transcript = openTranscript(path);
  expect(transcript.mentions(ritual)).toBe(true);
  expect(transcript.mentions("# Shadow")).toBe(false);
  expect(transcript.mentions("0mwhao51k000-924ybx")).toBe(true);
  expect(transcript.mentions("0mwhao51k000-000000")).toBe(false);
});

it.each([
  ["only settings", bystanders],
  ["only a command of the pane's own", [prompt("<command-name>/clear</command-name>")]],
])("a transcript of %s has no prompt", async (_what, lines) => {
  await using sandbox = makeSandbox();
  const path = join(sandbox.root, "t.jsonl");
  writeFileSync(path, lines.map((each) => `${JSON.stringify(each)}\n`).join(""));
  expect(openTranscript(path).hasPrompt()).toBe(false);
});

it.each<[string, boolean, object[]]>([
  ["an error instead of an answer", true, [failed]],
  [
    "an error and what a person then did in the pane",
    true,
    [failed, prompt("<command-name>/mcp</command-name>")],
  ],
  ["an answer after an error", false, [failed, prompt("once more"), says("end_turn")]],
  ["a prompt after an error", false, [failed, prompt("once more")]],
])("a transcript that ends with %s: its last turn failed is %s", async (_, isFailed, lines) => {
  await using sandbox = makeSandbox();
  const path = join(sandbox.root, "transcript.jsonl");
  writeFileSync(path, [prompt("hi"), ...lines, ...bystanders].map((each) => JSON.stringify(each)).join("\n"));
  expect(openTranscript(path).endsInError()).toBe(isFailed);
});

const AT = "2026-11-16T07:16:30.115Z";
const since = Date.parse(AT) - 100;
const input = { command: "touch it" };
const asked = { tool: "Bash", toolInput: JSON.stringify(input), since };

function use(id: string, command = "touch it", name = "Bash"): object {
  return { type: "assistant", message: { content: [{ type: "tool_use", id, name, input: { command } }] } };
}

function hookDecided(toolUseID: string, timestamp = AT): object {
  return { type: "attachment", timestamp, attachment: { type: "hook_permission_decision", toolUseID } };
}

function resultOf(id: string, source: string, timestamp = AT): object {
  const content = [{ type: "tool_result", tool_use_id: id, content: "done" }];
  return { type: "user", timestamp, message: { content }, permissionDecision: { source } };
}

const print = (...lines: object[]): string => lines.map((each) => JSON.stringify(each)).join("\n");

it.each([
  ["the hook decided", [use("a"), hookDecided("a")], "hook"],
  ["the result says that the hook decided", [use("a"), resultOf("a", "hook")], "hook"],
  ["the person decided", [use("a"), resultOf("a", "user_temporary")], "person"],
  ["nothing was decided yet", [use("a")], undefined],
  ["something was decided before", [use("a"), hookDecided("a", "2026-11-16T07:16:00.000Z")], undefined],
  ["another tool was decided about", [use("a"), use("b", "x", "Read"), resultOf("b", "hook")], undefined],
  [
    "two calls were decided differently",
    [use("a"), use("b", "touch that"), resultOf("b", "hook"), resultOf("a", "user_temporary")],
    "person",
  ],
  ["the input was printed differently", [use("a", "touch  it"), resultOf("a", "hook")], "hook"],
])("a transcript shows that %s", (_what, lines, by) => {
  expect(decisionIn(print(...lines), asked)).toBe(by);
  expect(decisionIn(`{"half a line\n${print(...lines)}\nnot JSON "tool_use"`, asked)).toBe(by);
});
