import * as fc from "fast-check";
import { expect, it } from "vitest";
import { textWidth } from "../../../src/terminal/text-width.ts";
import { wrapLines } from "../../../src/terminal/wrap-lines.ts";

it("wrapped text fits, and nothing of it is left out", () => {
  const text = fc.string({ unit: fc.constantFrom("a", " ", "漢", "é", "\n"), maxLength: 60 });
  fc.assert(
    fc.property(text, fc.integer({ min: 2, max: 20 }), (words, width) => {
      const lines = wrapLines(words, width);
      expect(lines.join("")).toBe(words.replaceAll("\n", ""));
      for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(width);
    }),
  );
  expect(wrapLines("one\n\ntwo", 80)).toEqual(["one", "", "two"]);
});
