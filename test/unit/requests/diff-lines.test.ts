import * as fc from "fast-check";
import { expect, it } from "vitest";
import { diffLines, type DiffLine } from "../../../src/requests/describe-request.ts";

const text = fc.array(fc.constantFrom("a", "b", "c", ""), { maxLength: 12 }).map((lines) => lines.join("\n"));

function join(lines: DiffLine[], without: DiffLine["is"]): string[] {
  return lines.filter(({ is }) => is !== without).map((line) => line.text);
}

it("a diff contains every line of both texts, in order", () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const lines = diffLines(before, after);
      expect(join(lines, "added")).toEqual(before === "" ? [] : before.split("\n"));
      expect(join(lines, "removed")).toEqual(after === "" ? [] : after.split("\n"));
    }),
  );
});

it("lines that stay are shown once", () => {
  expect(diffLines("a\nb\nc\nd", "a\nx\nc\ny\nd").map(({ is, text: line }) => `${is} ${line}`)).toEqual([
    "kept a",
    "removed b",
    "added x",
    "kept c",
    "added y",
    "kept d",
  ]);
});

it("texts of thousands of lines are compared at once, and nothing is left out", () => {
  const began = performance.now();
  expect(diffLines(`same\n${manyLines("a")}`, `same\n${manyLines("b")}`)).toHaveLength(10_001);
  expect(performance.now() - began).toBeLessThan(2_000);
});

function manyLines(letter: string): string {
  return Array.from({ length: 5_000 }, (_line, index) => `${letter}${index}`).join("\n");
}
