import { expect, it } from "vitest";
import { decisionIn } from "../../../../src/agent/claude/find-decision.ts";

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

const print = (...lines: object[]): string => lines.map((line) => JSON.stringify(line)).join("\n");

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
