import * as fc from "fast-check";
import { expect, it } from "vitest";
import { endsWith, holdsOnly, looksIdle, readComposer } from "../../../src/agent/composer.ts";

const RULE = "─".repeat(50);

function screen(...composer: string[]): string[] {
  return ["❯ an earlier prompt", "● fine", "", RULE, ...composer, RULE, "  ⏸ manual mode on"];
}

it.each([
  ["an empty composer", screen("❯\u00a0"), ""],
  ["a draft", screen("❯\u00a0half a thou"), "half a thou"],
  ["a wrapped draft", screen("❯\u00a0half a", "  thou"), "half a\nthou"],
  ["a menu above", ["  ❯ /add-dir", ...screen("❯\u00a0/")], "/"],
  ["vim's mark in the footer", [...screen("❯\u00a0"), "  -- INSERT --"], ""],
])("%s is read as what stands in it", (_case, lines, text) => {
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
  expect(looksIdle(lines)).toBe(false);
});

it("an agent at work does not look idle though its composer is empty", () => {
  expect(looksIdle(screen("❯\u00a0"))).toBe(true);
  expect(looksIdle([...screen("❯\u00a0"), "  esc to interrupt"])).toBe(false);
  expect(looksIdle([...screen("❯\u00a0"), "  esc to inte", "  rrupt"])).toBe(false);
});

it("a text is known again however narrow the composer that wraps it", () => {
  const text = "[MESSAGE from overlord] You have mail, note kfqxz. Call check_inbox.";
  fc.assert(
    fc.property(fc.integer({ min: 3, max: 80 }), (width) => {
      const rows = [...text.matchAll(new RegExp(`.{1,${width}}`, "g"))].map(([row]) => row);
      const composer = readComposer(
        screen(...rows.map((row, index) => `${index === 0 ? "❯\u00a0" : "  "}${row}`)),
      );
      expect(holdsOnly(composer ?? "", text)).toBe(true);
      expect(holdsOnly(`draft ${composer}`, text)).toBe(false);
      expect(endsWith(`draft ${composer}`, text)).toBe(true);
    }),
  );
});
