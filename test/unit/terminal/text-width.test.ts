import { expect, it } from "vitest";
import { cutToWidth, padToWidth, textWidth } from "../../../src/terminal/text-width.ts";

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
