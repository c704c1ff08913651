import * as fc from "fast-check";
import { expect, it } from "vitest";
import { claudeScreen } from "../../../../src/agent/claude/claude-screen.ts";

const { findPrompt, isScrolled, readComposer } = claudeScreen;

const RULE = "─".repeat(50);

function screen(...composer: string[]): string[] {
  return ["❯ an earlier prompt", "● fine", "", RULE, ...composer, RULE, "  ⏸ manual mode on"];
}

it.each([
  ["an empty composer", screen("❯\u00a0"), ""],
  ["a draft", screen("❯\u00a0half a thou"), "half a thou"],
  ["a wrapped draft", screen("❯\u00a0half a", "  thou"), "half a\nthou"],
  ["a menu above", ["  ❯ /add-dir", ...screen("❯\u00a0/")], "/"],
  ["blank lines", screen("❯\u00a0", "", ""), "\n\n"],
  ["a draft that ends in blank lines", screen("❯\u00a0half", "", ""), "half\n\n"],
  ["a conversation with a name", ["──── inferno ──", "❯\u00a0", RULE], ""],
  ["vim's mark in the footer", [...screen("❯\u00a0"), "  -- INSERT --"], ""],
])("%s is read as its text", (_case, lines, text) => {
  expect(readComposer(lines)).toBe(text);
});

it.each([
  ["a permission dialog", [RULE, " Bash command", " Do you want to proceed?", " ❯ 1. Yes", "   2. No"]],
  ["a question", ["❯ please ask", RULE, " ☐ Pick", "❯ 1. one", "  2. two", RULE, "  4. Chat about this"]],
  ["the trust dialog", [RULE, " Accessing workspace:", " ❯ No, exit", "   Yes, I trust this folder"]],
  ["the rewind menu", ["▔▔▔▔▔▔▔", "   Rewind", "   ❯ (current)", "   Enter to continue"]],
  ["a shell", ["$ ls", "file"]],
  ["nothing", [""]],
])("%s has no composer", (_case, lines) => {
  expect(readComposer(lines)).toBeUndefined();
});

it("a text is recognised however narrow the composer that wraps it", () => {
  const text = "[MESSAGE from overlord] You have mail, note kfqxz. Call check_inbox.";
  fc.assert(
    fc.property(fc.integer({ min: 3, max: 80 }), (width) => {
      const rows = [...text.matchAll(new RegExp(`.{1,${width}}`, "g"))].map(([row]) => row);
      const composer = readComposer(
        screen(...rows.map((row, index) => `${index === 0 ? "❯\u00a0" : "  "}${row}`)),
      );
      expect(findPrompt(composer ?? "", text)).toEqual({ is: "alone" });
      expect(findPrompt(`draft ${composer}`, text)).toEqual({
        is: "with-other-text",
        unitsBefore: 6,
        isLast: true,
        isTouched: false,
        afterBlanksOnly: false,
      });
      expect(findPrompt(`${composer}x`, text)).toEqual({
        is: "with-other-text",
        unitsBefore: 0,
        isLast: false,
        isTouched: true,
        afterBlanksOnly: true,
      });
      expect(findPrompt(`two\nlines ${composer}`, text)).toEqual({
        is: "with-other-text",
        unitsBefore: undefined,
        isLast: true,
        isTouched: false,
        afterBlanksOnly: false,
      });
    }),
  );
});

it("a long prompt is recognised by its folded form, in a composer of any width, and by the number of its lines", () => {
  const text = Array.from({ length: 42 }, (_, index) => `line ${index}`).join("\n");
  expect(findPrompt("[Pasted text #7 +41 lines]", text)).toEqual({ is: "alone" });
  expect(findPrompt("[Pasted te\nxt #7 +41 l\nines]", text)).toEqual({ is: "alone" });
  expect(findPrompt("[Pasted text #7 +40 lines]", text)).toEqual({ is: "absent" });
  expect(findPrompt("ab[Pasted text #7 +41 lines]c", text)).toEqual({
    is: "with-other-text",
    unitsBefore: 2,
    isLast: false,
    isTouched: true,
    afterBlanksOnly: false,
  });
  expect(findPrompt("[Pasted text #1 +9 lines][Pasted text #7 +41 lines]", text)).toEqual({
    is: "with-other-text",
    unitsBefore: 1,
    isLast: true,
    isTouched: false,
    afterBlanksOnly: false,
  });
});

it("a composer that shows only the end of a prompt is too small for it", () => {
  expect(findPrompt("Call check_inbox.", "You have mail. Call check_inbox.")).toEqual({ is: "cut-off" });
  expect(findPrompt("", "You have mail.")).toEqual({ is: "absent" });
  expect(findPrompt("something else", "You have mail.")).toEqual({ is: "absent" });
});

it("a pane whose cursor is outside the composer it shows is scrolled", () => {
  const lines = screen("❯\u00a0half", "  a thou");
  expect([3, 4, 5, 6].map((row) => isScrolled(lines, row))).toEqual([true, false, false, true]);
  expect(isScrolled(lines, undefined)).toBe(false);
});

it("a prompt that a terminal has garbled after a person's emoji is recognised, but its units cannot be counted", () => {
  const text = "[MESSAGE from overlord] You have mail about order, note bcdfg. Call check_inbox.";
  // As Zellij draws it.
  const composer = "👨👩👧[MESSfrom overlord] You have mail about\norder, note bcdfg. Call check_inbox\n.";
  expect(findPrompt(composer, text)).toEqual({
    is: "with-other-text",
    unitsBefore: undefined,
    isLast: false,
    isTouched: false,
    afterBlanksOnly: false,
  });
  expect(findPrompt("I have mail from overlord, and a note", text)).toEqual({ is: "absent" });
});

it.each([
  ["⚔️ You are inferno.", "⚔  You are inferno."],
  ["คุณคือแม่ทัพ รอคำสั่ง", "คณคอแมทพ รอคำสง"],
  ["Vous e\u0302tes le ge\u0301ne\u0301ral.", "Vous êtes le général."],
  ["तुम सेनापति हो।", "तम सनापतहो।"],
])("a text is known again although a terminal has left out marks of it: %s", (text, composer) => {
  expect(findPrompt(composer, text)).toEqual({ is: "alone" });
  expect(findPrompt(`ab ${composer}`, text)).toEqual({
    is: "with-other-text",
    unitsBefore: 3,
    isLast: true,
    isTouched: false,
    afterBlanksOnly: false,
  });
  expect(findPrompt(`${composer} x`, text)).toMatchObject({
    is: "with-other-text",
    unitsBefore: 0,
    isLast: false,
    isTouched: false,
    afterBlanksOnly: true,
  });
});

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
