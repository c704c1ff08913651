import { expect, it } from "vitest";
import { claudeHooks, HOOK_NAMES } from "../../../../src/agent/claude/hooks.ts";

const NOW = Date.parse("2026-11-15T10:00:00Z");
const heard = (input: object) => claudeHooks.read(input, NOW)?.call;
const asking = (tool: string) => heard({ event: "PreToolUse", tool });
const failed = (error: string, words = "") => heard({ event: "StopFailure", error, words });

it("each hook becomes an event in words that all agent programs share", () => {
  const events = HOOK_NAMES.map((event) => [event, heard({ event })?.event]);
  expect(Object.fromEntries(events)).toEqual({
    UserPromptSubmit: "prompted",
    PreToolUse: "tool-begins",
    PermissionRequest: "asking",
    PostToolUse: "tool-ended",
    PostToolUseFailure: "tool-ended",
    PostToolBatch: "tools-ended",
    Stop: "turn-ended",
    StopFailure: "turn-failed",
    SessionStart: "conversation-began",
  });
  expect(claudeHooks.read({ event: "SessionEnd" }, 0)).toBeUndefined();
  expect(claudeHooks.read({ event: "Stop", tool: 7 }, 0)).toBeUndefined();
});

it("a missing field of a hook counts as empty, and a subagent's event is recognised", () => {
  const call = { event: "turn-ended", prompt: "", tool: "", asksForMail: false };
  expect(claudeHooks.read({ event: "Stop" }, 0)).toEqual({ call, bySubagent: false });
  expect(claudeHooks.read({ event: "Stop", subagent: "a1" }, 0)).toEqual({ call, bySubagent: true });
});

it("the tool that returns an agent's mail is recognised by Claude Code's name for it", () => {
  expect(asking("mcp__ovld-relay__check_inbox")).toMatchObject({ asksForMail: true });
  expect(asking("mcp__ovld-relay__send_message")).toMatchObject({ asksForMail: false });
  expect(asking("Bash")).toMatchObject({ tool: "Bash", asksForMail: false });
});

it("a failed turn says why and until when, and an interrupted one has not failed", () => {
  expect(failed("server_error")).toMatchObject({ event: "turn-failed", failure: { error: "server_error" } });
  expect(failed("")).toMatchObject({ event: "turn-failed", failure: { error: "unknown" } });
  const words = "You have hit your limit, resets 3pm (UTC)";
  expect(failed("rate_limit", words)?.failure?.until).toBe(Date.parse("2026-11-15T15:00:00Z"));
  expect(failed("max_output_tokens", words)?.failure?.until).toBeUndefined();
  expect(failed("interrupted")).toMatchObject({ event: "turn-interrupted" });
  expect(failed("interrupted")).not.toHaveProperty("failure");
});

it.each([
  ["clear", "cleared"],
  ["compact", "compacted"],
  ["startup", undefined],
  ["", undefined],
])("a session that started because of %j has lost its conversation: %s", (source, lost) => {
  expect(heard({ event: "SessionStart", source })?.lost).toBe(lost);
});

it("answers have the form that Claude Code reads", () => {
  const answers = [
    claudeHooks.continueTurn("mail"),
    claudeHooks.remind("ritual"),
    claudeHooks.forbidTool("no"),
  ];
  expect(answers.map((answer) => JSON.parse(answer).hookSpecificOutput)).toEqual([
    { hookEventName: "Stop", additionalContext: "mail" },
    { hookEventName: "SessionStart", additionalContext: "ritual" },
    { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason: "no" },
  ]);
  expect(JSON.parse(claudeHooks.nothing)).toEqual({});
});
