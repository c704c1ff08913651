import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const TESTS = join(import.meta.dirname, "..");
/** About the whole, or about how it is built: no single test can prove them. */
const WITHOUT_TEST = ["D0", "D5", "DR4"];

const requirements = readFileSync(join(TESTS, "requirements.md"), "utf8");
const clauses = [...requirements.matchAll(/^\| ((?:R|Z|M|D|DG|DR)\d+(?:\.\d+)?[a-z]?) /gm)].flatMap(
  ([, id]) => id ?? [],
);

const files = readdirSync(TESTS, { recursive: true, encoding: "utf8" }).filter((name) =>
  name.endsWith(".test.ts"),
);
const firstTier = files.filter((name) => !name.endsWith(".rest.test.ts"));

/** Everything in quotation marks or backticks in test files, which includes the names of their tests. */
function readNames(names: string[]): string {
  return names
    .flatMap((name) => readFileSync(join(TESTS, name), "utf8").match(/(["`])[^"`\n]*\1/g) ?? [])
    .join("\n");
}

function namedIn(names: string): (id: string) => boolean {
  return (id) =>
    new RegExp(
      String.raw`(^|[^A-Za-z0-9.])${id.replaceAll(".", String.raw`\.`)}(?![A-Za-z0-9]|\.\d)`,
      "m",
    ).test(names);
}

/** A requirement is proven by its scenarios, and a scenario by its results. */
function hasParts(id: string): boolean {
  return clauses.some((other) => other.startsWith(id) && /^(\.\d+|[a-z])$/.test(other.slice(id.length)));
}

it("every clause of test/requirements.md is named by a test of the first tier", () => {
  const isNamed = namedIn(readNames(firstTier));
  const unproven = clauses.filter((id) => !hasParts(id) && !WITHOUT_TEST.includes(id) && !isNamed(id));
  expect(unproven).toEqual([]);
  expect(clauses.length).toBeGreaterThan(120);
});

it("what a test proves with the real Zellij is proven with it in the first tier", () => {
  const [isProven, isProvenEarly] = [files, firstTier].map((names) =>
    namedIn(readNames(names.filter((name) => name.startsWith("zellij/")))),
  );
  expect(clauses.filter((id) => isProven?.(id) && !isProvenEarly?.(id))).toEqual([]);
});

it("tests name no clause that test/requirements.md does not have", () => {
  const named = [...readNames(files).matchAll(/^["`]((?:(?:R|Z|M|D|DG|DR)\d+(?:\.\d+)?[a-z]? )+)/gm)].flatMap(
    ([, ids = ""]) => ids.trim().split(" "),
  );
  expect(named.filter((id) => !clauses.includes(id))).toEqual([]);
  expect(named.length).toBeGreaterThan(100);
});
