import { expect, it } from "vitest";
import { cutToWidth, padToWidth, textWidth, wrapLines, wrapWords } from "../../../src/terminal/text-width.ts";
import * as fc from "fast-check";
import { createPaint } from "../../../src/terminal/paint.ts";

it.each([
  ["abc", 3],
  ["魔王", 4],
  ["ｶﾞ", 2],
  ["が", 2],
  ["か\u3099", 2],
  ["（全角）", 8],
  ["é", 1],
  ["e\u0301", 1],
  ["→…─", 3],
  ["👑", 2],
  ["한국", 4],
  ["\u1112\u1161\u11ab", 2],
  ["🇯🇵", 2],
  ["👨‍👩‍👧‍👦", 2],
  ["👍🏽", 2],
  ["❤️", 2],
  ["❤", 1],
  ["1️⃣", 2],
])("%o takes %i columns", (text, width) => {
  expect(textWidth(text)).toBe(width);
});

it("texts are padded and cut by columns, never through a character", () => {
  expect(padToWidth("魔王", 6)).toBe("魔王  ");
  expect(cutToWidth("魔王の城", 8)).toBe("魔王の城");
  expect(cutToWidth("魔王の城", 7)).toBe("魔王の…");
  expect(cutToWidth("魔王の城", 6)).toBe("魔王…");
  expect(cutToWidth("abc", 0)).toBe("");
  expect(cutToWidth("👨‍👩‍👧‍👦👨‍👩‍👧‍👦", 3)).toBe("👨‍👩‍👧‍👦…");
});

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

it.each([
  ["one two three", 8, ["one two", "three"]],
  ["unbreakable words", 5, ["unbreakable", "words"]],
  ["「魔王」は命令する。", 10, ["「魔王」は", "命令する。"]],
  ["命令するのだ。", 12, ["命令するの", "だ。"]],
  ["手紙は（ここ）", 8, ["手紙は", "（ここ）"]],
  ["Git リポジトリ", 8, ["Git リポ", "ジトリ"]],
])("%s is broken where a line may end, at a width of %i", (text, width, lines) => {
  expect(wrapWords(text, width)).toEqual(lines);
});

it("our colours take no room when words are wrapped", () => {
  const strong = createPaint(true)("strong", "two");
  expect(wrapWords(`one ${strong} three`, 7)).toEqual([`one ${strong}`, "three"]);
});
