import * as fc from "fast-check";
import { expect, it } from "vitest";
import { diffLines } from "../../../src/desk/page/diff-lines.ts";

it("a changed line is removed and added, and its neighbours stay", () => {
  expect(diffLines("a\nb\nc", "a\nx\nc")).toEqual([
    { kind: "same", text: "a" },
    { kind: "removed", text: "b" },
    { kind: "added", text: "x" },
    { kind: "same", text: "c" },
  ]);
  expect(diffLines("", "new")).toEqual([{ kind: "added", text: "new" }]);
  expect(diffLines("old\n", "")).toEqual([
    { kind: "removed", text: "old" },
    { kind: "removed", text: "" },
  ]);
});

it("a difference always contains both texts, line by line", () => {
  const text = fc
    .array(fc.constantFrom("a", "b", "c", ""), { maxLength: 12 })
    .map((lines) => lines.join("\n"));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const lines = diffLines(before, after);
      const without = (kind: string): string =>
        lines.flatMap((line) => (line.kind === kind ? [] : [line.text])).join("\n");
      expect([without("added"), without("removed")]).toEqual([before, after]);
    }),
  );
});

it("texts that are too long to compare are shown as removed and added", () => {
  expect(new Set(diffLines(long("a"), long("b")).map(({ kind }) => kind))).toEqual(
    new Set(["removed", "added"]),
  );
});

function long(mark: string): string {
  return Array.from({ length: 3_000 }, (_, index) => `${mark}${index}`).join("\n");
}
