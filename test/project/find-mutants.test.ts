import { expect, it } from "vitest";
import { findMutants } from "../mutation/find-mutants.ts";

const changesIn = (source: string): string[] => findMutants("a.ts", source).map(({ change }) => change);

it.each([
  ["a < b", ["a < b → (a <= b)", "a < b → ;"]],
  ["a ?? b", ["a ?? b → (a && b)", "a ?? b → ;"]],
  ["f(!a)", ["f(!a) → ;", "!a → a"]],
  ["if (a) b();", ["a → !(a)", "b(); → ;"]],
  ["x = a ? 1 : true;", ["x = a ? 1 : true; → ;", "a → !(a)", "1 → 0", "true → false"]],
  ["const f = () => a;", ["a → undefined"]],
  ["function f() { return a; }", ["return a; → return undefined;"]],
  ["function f() { return false; }", ["false → true"]],
  ['const t = ["", "x", `y${z}`];', ['"" → "mutated"', '"x" → ""', '`y${z}` → ""']],
])("%s can be broken in %o", (source, changes) => {
  expect(changesIn(source).toSorted()).toEqual(changes.toSorted());
});

it("names of modules and keys, and whatever is only a type, cannot be broken", () => {
  const source = `
    import { a } from "./a.ts";
    export type T = "x" | 1;
    interface I { kind: "y" }
    const o: Record<"z", I> = { "key": a satisfies 2 };
    declare const d: true;`;
  expect(changesIn(source)).toEqual([]);
});

it("a change that would have no effect is not a mutant", () => {
  expect(changesIn("function f() { return undefined; }\nconst g = () => undefined;")).toEqual([]);
});

it("a mutant says where it is and what it puts there", () => {
  const source = "const one = 1;\nconst two = one + 2;\n";
  const [last] = findMutants("a.ts", source).slice(-1);
  expect(last).toEqual({ file: "a.ts", line: 2, start: 33, end: 34, replacement: "3", change: "2 → 3" });
});
