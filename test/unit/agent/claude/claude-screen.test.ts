import { expect, it } from "vitest";
import { claudeScreen } from "../../../../src/agent/claude/claude-screen.ts";

const RULE = "─".repeat(30);
const composer = (text: string): string[] => [RULE, `❯\u00a0${text}`, RULE];

it.each([
  ["Do you want to use this API key?", "api-key"],
  ["WARNING: Claude Code running in Bypass Permissions mode … 2. Yes, I accept", "bypass"],
  ["Select login method:", "login"],
  ["❯ hello", undefined],
] as const)("the question %j is recognised as %s", (text, question) => {
  expect(claudeScreen.firstQuestionOn([text])).toBe(question);
});

it("a prompt counts as sent if it is above the composer, wrapped or not", () => {
  expect(claudeScreen.showsAsSent(["❯ You have mail, note bc", "  dfg.", ...composer("")], "bcdfg")).toBe(
    true,
  );
  expect(claudeScreen.showsAsSent(["❯ hello", ...composer("You have mail, note bcdfg.")], "bcdfg")).toBe(
    false,
  );
  expect(claudeScreen.showsAsSent(["note bcdfg."], "bcdfg")).toBe(false);
});

it("a suspended agent shows that it is, even in a narrow pane", () => {
  expect(claudeScreen.saysSuspended(["Claude Code has been susp", "ended. Run `fg` to bring it back."])).toBe(
    true,
  );
  expect(claudeScreen.saysSuspended([RULE, "❯\u00a0", RULE])).toBe(false);
});
