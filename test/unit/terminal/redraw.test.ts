import { expect, it } from "vitest";
import { createPaint } from "../../../src/terminal/paint.ts";
import { readyForScreen } from "../../../src/terminal/print.ts";
import { wrapPainted } from "../../../src/terminal/text-width.ts";

const paint = createPaint(true);

it("a line that fits stays one line, however many colours it has", () => {
  const line = `${paint("bad", "ab")}${paint("good", "cd")}`;
  expect(wrapPainted(line, 4)).toEqual([line]);
});

it("a colour ends with its line and goes on in the next, and nothing is left out", () => {
  expect(wrapPainted(`x${paint("bad", "abcde")}yz`, 4).map(readyForScreen)).toEqual([
    "x\u001b[31mabc\u001b[0m",
    "\u001b[31mde\u001b[0myz",
  ]);
});

it("a character of two columns goes to the next line if only one is left, and is never dropped", () => {
  expect(wrapPainted("aあい", 2)).toEqual(["a", "あ", "い"]);
  expect(wrapPainted("あ", 1)).toEqual(["あ"]);
});
