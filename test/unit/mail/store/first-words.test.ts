import { expect, it } from "vitest";
import { firstWords } from "../../../../src/mail/store/message.ts";

it.each([
  ["a short line stays as it is", "take the hill", "take the hill"],
  [
    "blank lines before it and blanks around it do not count",
    "\n  \n  take the hill  \nnow",
    "take the hill",
  ],
  ["nothing gives nothing", " \n", ""],
  ["sixty characters are not too many", "x".repeat(60), "x".repeat(60)],
  ["one more is cut, and the mark counts", "x".repeat(61), `${"x".repeat(59)}…`],
  ["no word is cut", `${"word ".repeat(12)}and more`, `${"word ".repeat(11).trim()}…`],
  ["a space in the first half is not a place to cut", `a ${"x".repeat(70)}`, `a ${"x".repeat(57)}…`],
  [
    "a blank at the very half is none either",
    `${"a".repeat(30)} ${"x".repeat(50)}`,
    `${"a".repeat(30)} ${"x".repeat(28)}…`,
  ],
  ["one behind it is", `${"a".repeat(31)} ${"x".repeat(50)}`, `${"a".repeat(31)}…`],
  ["characters outside the basic plane are not torn", "🏰".repeat(61), `${"🏰".repeat(59)}…`],
])("%s", (_, text, words) => {
  expect(firstWords(text)).toBe(words);
});
