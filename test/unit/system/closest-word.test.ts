import { expect, it } from "vitest";
import { closestWord } from "../../../src/system/closest-word.ts";

const words = ["session", "agent", "wake", "language", "zellij"];

it.each([
  ["sesion", "session"],
  ["agnet", "agent"],
  ["Wake", "wake"],
  ["langauge", "language"],
  ["zelij", "zellij"],
  ["dragon", undefined],
  ["", undefined],
])("%o is taken for %o", (input, word) => {
  expect(closestWord(input, words)).toBe(word);
});
