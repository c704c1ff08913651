import { expect, it } from "vitest";
import { keysIn } from "../../../src/terminal/listen-for-keys.ts";

it.each([
  ["letters", "g3", ["g", "3"]],
  ["Escape alone", "\u001b", ["\u001b"]],
  ["an arrow, Alt with a letter, and a letter", "\u001b[A\u001bOP\u001bsq", ["q"]],
  ["a report of the mouse", "\u001b[<0;12;7Mq", ["q"]],
  ["pasted text", "\u001b[200~q\ra\u001b[201~w", ["w"]],
  ["Japanese and emoji", "あ🔥", ["あ", "🔥"]],
])("of %s only characters that were typed are keys", (_what, typed, keys) => {
  expect(keysIn(typed, false)).toEqual({ keys, isPasting: false });
});

it("pasted text that comes in several pieces is skipped to its end", () => {
  const first = keysIn("a\u001b[200~q", false);
  expect(first).toEqual({ keys: ["a"], isPasting: true });
  expect(keysIn("more q", first.isPasting)).toEqual({ keys: [], isPasting: true });
  expect(keysIn("q\u001b[201~g", true)).toEqual({ keys: ["g"], isPasting: false });
});
