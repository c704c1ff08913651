import * as fc from "fast-check";
import { expect, it } from "vitest";
import { setInJson } from "../../../../src/agent/claude/json-text.ts";

it.each([
  ["{}", '{"a":{"b":true}}'],
  [" {\n} ", ' {"a":{"b":true}} '],
  ['{"a":null}', '{"a":{"b":true}}'],
  ['{ "a" : { "b" : false } , "c":1.0 }', '{ "a" : { "b" : true } , "c":1.0 }'],
  ['{\r\n\t"c": 1e400\r\n}', '{\r\n\t"c": 1e400,\r\n\t"a": {\r\n\t\t"b": true\r\n\t}\r\n}'],
  ['{"a":{},"n":12345678901234567890.10}', '{"a":{"b":true},"n":12345678901234567890.10}'],
  ['{"\\u0061":{"x":"}\\\\\\"{"}}', '{"\\u0061":{"x":"}\\\\\\"{","b":true}}'],
  // If two members have the same name, the last one counts.
  ['{"a":{"b":0},"a":{"b":[1,{"b":2}]}}', '{"a":{"b":0},"a":{"b":true}}'],
  ['{"a":[1]}', undefined],
  ["[]", undefined],
])("one value is set in %s, and every other character stays", (text, expected) => {
  expect(setInJson(text, ["a", "b"], true)).toBe(expected);
});

it("whatever the text contains, the value is there afterwards and the rest is unchanged", () => {
  const key = fc
    .oneof(fc.constantFrom("a", "b", "", '"', "\\", "}"), fc.string())
    .filter((name) => !/^\d+$/.test(name));
  fc.assert(
    fc.property(
      fc.dictionary(key, fc.jsonValue()),
      fc.array(key, { minLength: 1, maxLength: 3 }),
      fc.constantFrom("", " ", "\t", "    "),
      (content, path, indent) => {
        const text = JSON.stringify(content, undefined, indent);
        const changed = setInJson(text, path, 7);
        fc.pre(changed !== undefined && !path.includes("__proto__"));
        const expected: unknown = setPlainly(JSON.parse(text), path);
        expect(JSON.parse(changed ?? "")).toEqual(expected);
        expect(changed).toBe(
          JSON.stringify(JSON.parse(changed ?? ""), undefined, text === "{}" ? "" : indent),
        );
      },
    ),
    { numRuns: 2_000 },
  );
});

function setPlainly(content: any, [name = "", ...deeper]: string[]): unknown {
  const inner = Object.hasOwn(content, name) && content[name] !== null ? content[name] : {};
  return { ...content, [name]: deeper.length === 0 ? 7 : setPlainly(inner, deeper) };
}
