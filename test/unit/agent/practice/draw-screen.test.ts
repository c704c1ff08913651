import * as fc from "fast-check";
import { expect, it } from "vitest";
import { claudeScreen } from "../../../../src/agent/claude/claude-screen.ts";
import { withoutBlanks } from "../../../../src/system/clean-text.ts";
import { draftOf, EMPTY_COMPOSER } from "../../../../src/agent/practice/composer.ts";
import { drawScreen, type View } from "../../../../src/agent/practice/draw-screen.ts";
import { textWidth } from "../../../../src/terminal/text-width.ts";

const idle: View = { ...EMPTY_COMPOSER, transcript: ["● ready"], busy: false, queued: [] };
const size = fc.record({ columns: fc.integer({ min: 1, max: 120 }), rows: fc.integer({ min: 1, max: 60 }) });
const words = fc.oneof(
  fc.string({ unit: "grapheme-ascii" }),
  fc.stringMatching(/^[ぁ-ん一-龥\n ]*$/),
  fc.constant("─".repeat(200)),
);

it("an idle screen has an empty composer between two full-width rules and shows the words of an idle Claude Code", () => {
  const { lines } = drawScreen(idle, { columns: 20, rows: 6 });
  expect(lines).toEqual(["● ready", "", "─".repeat(20), "❯\u00A0", "─".repeat(20), "? for shortcuts"]);
});

it("a busy screen says how to interrupt", () => {
  const { lines } = drawScreen({ ...idle, busy: true }, { columns: 20, rows: 6 });
  expect(lines.at(-1)).toBe("esc to interrupt");
});

it("while a question is open no composer is drawn, whatever the transcript contains", () => {
  const question = { lines: ["Run?"], chosen: "yes" } as const;
  const transcript = ["● ────────\n──────────\n❯\u00A0x\n──────────"];
  const { lines } = drawScreen({ ...idle, question, transcript }, { columns: 10, rows: 20 });
  expect(claudeScreen.readComposer(lines)).toBeUndefined();
  const wide = drawScreen({ ...idle, question }, { columns: 40, rows: 20 }).lines;
  expect(wide.slice(-5)).toEqual(["  Run?", "❯ 1. Yes", "  2. No", "", "  Esc to cancel"]);
});

it("a draft that fits is read back from the screen at any size, wrapped or not", () => {
  fc.assert(
    fc.property(words, words, fc.integer({ min: 14, max: 120 }), (draft, said, columns) => {
      const view = { ...idle, draft: draftOf(draft), transcript: [`● ${said}`] };
      const { lines } = drawScreen(view, { columns, rows: 200 });
      expect(withoutBlanks(claudeScreen.readComposer(lines) ?? "none")).toBe(withoutBlanks(draft));
    }),
  );
});

it("a screen has as many lines as the terminal rows, none wider than it, at every size", () => {
  fc.assert(
    fc.property(words, words, fc.boolean(), size, (draft, said, busy, { columns, rows }) => {
      const view = { ...idle, busy, draft: draftOf(draft), transcript: [`● ${said}`], queued: [said] };
      const { lines, cursor } = drawScreen(view, { columns, rows });
      const usable = { columns: Math.max(4, columns), rows: Math.max(4, rows) };
      expect(lines).toHaveLength(usable.rows);
      expect(Math.max(...lines.map(textWidth))).toBeLessThanOrEqual(usable.columns);
      expect(cursor?.row).toBeLessThanOrEqual(usable.rows);
      expect(cursor?.column).toBeLessThanOrEqual(usable.columns);
    }),
  );
});

it("a draft taller than the screen is shown around the cursor", () => {
  const lines = Array.from({ length: 100 }, (_each, index) => `line ${index}`);
  const view = { ...idle, draft: draftOf(lines.join("\n")) };
  expect(claudeScreen.readComposer(drawScreen(view, { columns: 40, rows: 20 }).lines)).toMatch(
    /^line 83\n.*line 99$/s,
  );
  const above = { ...view, draft: { ...view.draft, cursor: 0 } };
  expect(claudeScreen.readComposer(drawScreen(above, { columns: 40, rows: 20 }).lines)).toMatch(/^line 0\n/);
});

it("a draft that ends in blank lines never looks like an empty composer, however small the screen", () => {
  fc.assert(
    fc.property(size, fc.integer({ min: 1, max: 40 }), (given, blanks) => {
      const { lines } = drawScreen({ ...idle, draft: draftOf(`half${"\n".repeat(blanks)}`) }, given);
      expect(claudeScreen.readComposer(lines)).not.toBe("");
    }),
  );
});
