import { expect, it } from "vitest";
import { parseColours } from "../../../src/desk/page/parse-colours.ts";

it("colours and weights become spans, and go on over the end of a line", () => {
  expect(parseColours(["plain \u001b[1;31mred", "still\u001b[0m not"])).toEqual([
    [{ text: "plain " }, { text: "red", bold: true, colour: "#cc3333" }],
    [{ text: "still", bold: true, colour: "#cc3333" }, { text: " not" }],
  ]);
  expect(parseColours(["\u001b[38;2;1;2;3;48;5;232mx\u001b[39;49my"])).toEqual([
    [{ text: "x", colour: "#010203", background: "#080808" }, { text: "y" }],
  ]);
});

it("every other sequence is dropped, and wrong numbers are harmless", () => {
  const [line] = parseColours([
    "a\u001b[2Jb\u001b]0;title\u0007c\u001b[38;5;999md\u001b[38;2;900;1;?me\u001bMf",
  ]);
  expect(line?.map(({ text }) => text).join("")).toBe("abcdef");
  for (const { colour } of line ?? []) expect(colour ?? "#000000").toMatch(/^#[0-9a-f]{6}$/);
});
