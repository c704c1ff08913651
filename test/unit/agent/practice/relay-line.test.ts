import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { HOOK_NAMES, formatHookSettings } from "../../../../src/agent/claude/hooks.ts";
import { hookCalls, outputIn, readAgentSettings } from "../../../../src/agent/practice/relay-line.ts";

const tool = "mcp__ovld-relay__check_inbox";
const rights = { commands: [], reads: [], edits: [], hidden: [], unchanged: [], sealed: [] };
const file = join(mkdtempSync(join(tmpdir(), "ovld-hooks-")), "settings.json");
writeFileSync(file, formatHookSettings({ secret: "s3cret", rights, env: {} }, ["startup", "clear"]));
const settings = readAgentSettings(file).hooks;
afterAll(() => rmSync(dirname(file), { recursive: true }));

it.each(HOOK_NAMES)("the settings of an army have a hook for %s that calls the relay's own tool", (event) => {
  const facts = event === "PreToolUse" ? { tool_name: tool } : { source: "startup" };
  expect(hookCalls(settings, event, { prompt: "go", agent_id: "a1", ...facts })).toEqual([
    {
      tool: "agent_event",
      input: expect.objectContaining({
        secret: "s3cret",
        event,
        prompt: "go",
        subagent: "a1",
        source: event === "PreToolUse" ? "" : "startup",
        tool: event === "PreToolUse" ? tool : "",
      }),
      // The person may take longer than a day to answer, and a subagent must not get the mail of a relay that hangs.
      timeout: event === "PermissionRequest" ? 604_800 : event === "PreToolUse" ? 600 : 10,
    },
  ]);
});

it("a field that the event lacks is filled in as empty, and an event without hooks leads to no call", () => {
  const hooks = [{ tool: "t", input: { a: "<${source}|${unknown}>" } }];
  expect(hookCalls({ Stop: [{ hooks }] }, "Stop", { source: "x" })).toEqual([
    { tool: "t", input: { a: "<x|>" } },
  ]);
  expect(hookCalls({}, "Stop", {})).toEqual([]);
});

it("a hook with a matcher is called only for that source or that tool", () => {
  expect(hookCalls(settings, "SessionStart", { source: "clear" })).toHaveLength(1);
  expect(hookCalls(settings, "SessionStart", { source: "resume" })).toEqual([]);
  expect(hookCalls(settings, "PreToolUse", { tool_name: "Bash" })).toEqual([]);
});

it("an answer adds to the conversation only in the right form and for its own event", () => {
  const answer = JSON.stringify({ hookSpecificOutput: { hookEventName: "Stop", additionalContext: "mail" } });
  expect(outputIn(answer, "Stop").additionalContext).toBe("mail");
  expect(outputIn(answer, "SessionStart")).toEqual({});
  expect(outputIn("{}", "Stop")).toEqual({});
  expect(outputIn("no JSON", "Stop")).toEqual({});
});
