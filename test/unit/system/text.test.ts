import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { shellWord, closestWord } from "../../../src/system/text.ts";

it("a printed command can be copied: a real shell reads every word as it was", () => {
  const words = [
    "plain",
    "",
    "two words",
    "it's",
    `"$HOME" \`id\` \\`,
    "~",
    "*",
    "a\nb",
    "魔王",
    "-n",
    "#",
    "a=b",
    "\u001b[31m\u009b\u202e 50% it's \\ here\nand there",
  ];
  const line = ["printf", "%s\\0", ...words].map(shellWord).join(" ");
  expect(execFileSync("sh", ["-c", line], { encoding: "utf8" }).split("\0").slice(0, -1)).toEqual(words);
  expect(line).not.toMatch(/\p{Cc}|\p{Bidi_Control}/u);
  expect(shellWord("/usr/bin/zellij")).toBe("/usr/bin/zellij");
});

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
