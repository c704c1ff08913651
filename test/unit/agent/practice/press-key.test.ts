import { expect, it } from "vitest";
import {
  draftOf,
  EMPTY_COMPOSER,
  pressKey,
  type Deed,
  type ComposerState,
} from "../../../../src/agent/practice/press-key.ts";
import type { Key } from "../../../../src/agent/practice/read-keys.ts";

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
