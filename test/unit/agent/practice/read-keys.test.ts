import * as fc from "fast-check";
import { expect, it } from "vitest";
import { createKeyReader, type Key } from "../../../../src/agent/practice/read-keys.ts";

const read = (...reads: string[]): Key[] => {
  const reader = createKeyReader();
  return reads.flatMap((bytes) => reader.read(Buffer.from(bytes)));
};

it("text is one key, however much arrives at once", () => {
  expect(read("hello, 世界")).toEqual([{ key: "text", text: "hello, 世界" }]);
});

it("CR is Enter and LF a new line", () => {
  expect(read("a\r", "b\nc")).toEqual([
    { key: "text", text: "a" },
    { key: "enter" },
    { key: "text", text: "b" },
    { key: "newline" },
    { key: "text", text: "c" },
  ]);
});

it("a CR in 64 bytes of text or more is a line end, in 63 it is Enter, and other keys end the run", () => {
  expect(read(`${"x".repeat(63)}\r`).at(-1)).toEqual({ key: "newline" });
  expect(read(`${"x".repeat(62)}\r`).at(-1)).toEqual({ key: "enter" });
  expect(read(`${"\u001b[C".repeat(90)}ab${"\u007f".repeat(90)}\r`).at(-1)).toEqual({ key: "enter" });
});

it("many backspaces in one read are as many keys", () => {
  expect(read("\u007f".repeat(100))).toEqual(Array.from({ length: 100 }, () => ({ key: "backspace" })));
});

it("a paste is text with its line ends as newlines, wherever the reads are split", () => {
  const bytes = Buffer.from("a\u001b[200~línea\r世界\r\n\tend\u001b[201~b");
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(bytes.length), { maxLength: 6 }), (cuts) => {
      // A read that ends after the opening marker's first byte is an Esc: terminals send the marker in one piece.
      const edges = [0, ...cuts.filter((cut) => cut > 2).toSorted((one, other) => one - other), bytes.length];
      const reader = createKeyReader();
      const keys = edges.slice(1).flatMap((end, index) => reader.read(bytes.subarray(edges[index], end)));
      expect(keys.map((key) => ("text" in key ? key.text : key.key)).join("|")).toBe(
        "a|línea\n世界\n\tend|b",
      );
    }),
  );
});

it("arrows, Esc and control keys have names, and keys without a meaning are dropped", () => {
  expect(read("\u001b[A", "\u001b[B", "\u001b", "\u0003", "\u0004", "\u0015").map(({ key }) => key)).toEqual([
    "up",
    "down",
    "escape",
    "interrupt",
    "end-of-input",
    "clear",
  ]);
  expect(read("\u001b[I", "\u001b[15~", "\u001bx", "\u0007")).toEqual([]);
});

it("no bytes crash it or let a control character into the text", () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 80 })), (reads) => {
      const reader = createKeyReader();
      const keys = reads.flatMap((bytes) => reader.read(Buffer.from(bytes)));
      const texts = keys.flatMap((key) => (key.key === "text" ? [key.text] : []));
      expect(texts.join("")).not.toMatch(/[^\P{Cc}\n\t]/u);
    }),
  );
});
