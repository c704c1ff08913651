import { expect, it } from "vitest";
import { HOOK_NAMES, formatHookSettings } from "../../../../src/agent/claude/hooks.ts";
import { additionalContext, hookCalls } from "../../../../src/agent/practice/hooks.ts";

const tool = "mcp__ovld-relay__check_inbox";
const rights = { reads: [], edits: [], hidden: [], unchanged: [] };
const settings = JSON.parse(formatHookSettings({ secret: "s3cret", starts: ["startup", "clear"], rights }));

it.each(HOOK_NAMES)("the settings of an army have a hook for %s that calls the relay's own tool", (event) => {
  const facts = event === "PreToolUse" ? { tool_name: tool } : { source: "startup" };
  expect(hookCalls(settings, event, { prompt: "go", agent_id: "a1", ...facts })).toEqual([
    {
      server: "ovld-relay",
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
      timeout: event === "PermissionRequest" ? 604_800 : event === "PreToolUse" ? undefined : 10,
    },
  ]);
});

it("a field that the event lacks is filled in as empty, and other kinds of hooks are ignored", () => {
  const hooks = [
    { type: "command", command: "date" },
    { type: "mcp_tool", server: "s", tool: "t", input: { a: "<${source}|${unknown}>", b: 3 } },
  ];
  expect(hookCalls({ hooks: { Stop: [{ hooks }] } }, "Stop", { source: "x" })).toEqual([
    { server: "s", tool: "t", input: { a: "<x|>", b: 3 } },
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
  expect(additionalContext("Stop", answer)).toBe("mail");
  expect(additionalContext("SessionStart", answer)).toBeUndefined();
  expect(additionalContext("Stop", "{}")).toBeUndefined();
  expect(additionalContext("Stop", "no JSON")).toBeUndefined();
});
