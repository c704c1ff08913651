import * as fc from "fast-check";
import { expect, it } from "vitest";
import {
  createKeyReader,
  draftOf,
  EMPTY_COMPOSER,
  pressKey,
  type ComposerState,
  type Deed,
  type Key,
} from "../../../../src/agent/practice/composer.ts";

const read = (...reads: string[]): Key[] => {
  const readKeys = createKeyReader();
  return reads.flatMap((bytes) => readKeys(Buffer.from(bytes)));
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
      const readKeys = createKeyReader();
      const keys = edges.slice(1).flatMap((end, index) => readKeys(bytes.subarray(edges[index], end)));
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
      const readKeys = createKeyReader();
      const keys = reads.flatMap((bytes) => readKeys(Buffer.from(bytes)));
      const texts = keys.flatMap((key) => (key.key === "text" ? [key.text] : []));
      expect(texts.join("")).not.toMatch(/[^\P{Cc}\n\t]/u);
    }),
  );
});

const text = (words: string): Key => ({ key: "text", text: words });

function press(composer: ComposerState, ...keys: Key[]): { composer: ComposerState; deeds: Deed[] } {
  const deeds: Deed[] = [];
  let now = composer;
  for (const key of keys) {
    const { composer: next, deed } = pressKey(now, key);
    now = next;
    if (deed) deeds.push(deed);
  }
  return { composer: now, deeds };
}

const asking: ComposerState = { ...EMPTY_COMPOSER, question: { lines: ["Proceed?"], chosen: "yes" } };

it("typing, moving and erasing change the draft at the cursor", () => {
  const { composer } = press(
    EMPTY_COMPOSER,
    text("abd"),
    { key: "left" },
    text("c"),
    { key: "home" },
    text("→"),
  );
  expect(composer.draft.text).toBe("→abcd");
  expect(press(composer, { key: "end" }, { key: "backspace" }).composer.draft.text).toBe("→abc");
});

it("a backspace removes what a person sees as one character", () => {
  const family = "👩‍👩‍👧";
  expect(press(EMPTY_COMPOSER, text(`a${family}`), { key: "backspace" }).composer.draft.text).toBe("a");
  expect(press(EMPTY_COMPOSER, text("か\u3099"), { key: "backspace" }).composer.draft.text).toBe("");
});

it("Enter submits the draft and empties the composer, but only if there is something to submit", () => {
  const submitted = press(EMPTY_COMPOSER, text("go"), { key: "newline" }, text("on"), { key: "enter" });
  expect(submitted).toEqual({ composer: EMPTY_COMPOSER, deeds: [{ deed: "submit", prompt: "go\non" }] });
  expect(press(EMPTY_COMPOSER, text("  "), { key: "enter" }).deeds).toEqual([]);
});

it("Ctrl-U empties the composer, Esc interrupts, Ctrl-D quits only if the composer is empty", () => {
  expect(press(EMPTY_COMPOSER, text("go"), { key: "clear" }).composer).toEqual(EMPTY_COMPOSER);
  expect(press(EMPTY_COMPOSER, { key: "escape" }).deeds).toEqual([{ deed: "interrupt" }]);
  expect(press(EMPTY_COMPOSER, { key: "end-of-input" }).deeds).toEqual([{ deed: "leave" }]);
  expect(press(EMPTY_COMPOSER, text("x"), { key: "end-of-input" }).deeds).toEqual([]);
});

it("Ctrl-C quits only if it is pressed twice in a row", () => {
  expect(press(EMPTY_COMPOSER, { key: "interrupt" }, { key: "interrupt" }).deeds).toEqual([
    { deed: "interrupt" },
    { deed: "leave" },
  ]);
  const between = press(EMPTY_COMPOSER, { key: "interrupt" }, text("x"), { key: "interrupt" });
  expect(between.deeds).toEqual([{ deed: "interrupt" }, { deed: "interrupt" }]);
});

it.each<[string, Key[], boolean | undefined]>([
  ["Enter, which is yes", [{ key: "enter" }], true],
  ["1", [text("1")], true],
  ["2", [text("2")], false],
  ["Esc", [{ key: "escape" }], false],
  ["Ctrl-C", [{ key: "interrupt" }], false],
  ["down, Enter", [{ key: "down" }, { key: "enter" }], false],
  ["down, up, Enter", [{ key: "down" }, { key: "up" }, { key: "enter" }], true],
  ["a burst with digits, which is ignored", [text("note 12.")], undefined],
  ["backspace, which is ignored", [{ key: "backspace" }], undefined],
])("a question is answered by %s", (_name, keys, yes) => {
  expect(press(asking, ...keys).deeds).toEqual(yes === undefined ? [] : [{ deed: "answer", yes }]);
});

it("keys pressed during a question do not change the draft behind it", () => {
  const { composer } = press({ ...asking, draft: draftOf("half") }, text("more"), { key: "clear" });
  expect(composer.draft.text).toBe("half");
});
