import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const TESTS = join(import.meta.dirname, "..");
/** About the whole, or about how it is built: no single test can prove them. */
const WITHOUT_TEST = ["D0", "D5", "DR4"];

const requirements = readFileSync(join(TESTS, "../docs/requirements.md"), "utf8");
const clauses = [...requirements.matchAll(/^\| ((?:R|Z|M|D|DG|DR)\d+(?:\.\d+)?[a-z]?) /gm)].flatMap(
  ([, id]) => id ?? [],
);

/** Everything in quotation marks or backticks in a test file, which includes the names of its tests. */
function readNames(): string {
  const files = readdirSync(TESTS, { recursive: true, encoding: "utf8" });
  return files
    .filter((name) => name.endsWith(".test.ts"))
    .flatMap((name) => readFileSync(join(TESTS, name), "utf8").match(/(["`])[^"`\n]*\1/g) ?? [])
    .join("\n");
}

/** A requirement is proven by its scenarios, and a scenario by its results. */
function hasParts(id: string): boolean {
  return clauses.some((other) => other.startsWith(id) && /^(\.\d+|[a-z])$/.test(other.slice(id.length)));
}

it("every clause of docs/requirements.md is named by a test", () => {
  const names = readNames();
  const isNamed = (id: string) =>
    new RegExp(
      String.raw`(^|[^A-Za-z0-9.])${id.replaceAll(".", String.raw`\.`)}(?![A-Za-z0-9]|\.\d)`,
      "m",
    ).test(names);
  const unproven = clauses.filter((id) => !hasParts(id) && !WITHOUT_TEST.includes(id) && !isNamed(id));
  expect(unproven).toEqual([]);
  expect(clauses.length).toBeGreaterThan(120);
});

it("tests name no clause that docs/requirements.md does not have", () => {
  const named = [...readNames().matchAll(/^["`]((?:(?:R|Z|M|D|DG|DR)\d+(?:\.\d+)?[a-z]? )+)/gm)].flatMap(
    ([, ids = ""]) => ids.trim().split(" "),
  );
  expect(named.filter((id) => !clauses.includes(id))).toEqual([]);
  expect(named.length).toBeGreaterThan(100);
});
