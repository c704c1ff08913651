import { expect, it } from "vitest";
import { createReader, isRequestId, parseLine } from "../../../src/relay/json-rpc.ts";
import * as fc from "fast-check";

it.each([
  ["a request", '{"jsonrpc":"2.0","id":1,"method":"ping"}', { request: { id: 1, method: "ping" } }],
  [
    "a request with a text as id and parameters",
    '{"jsonrpc":"2.0","id":"a","method":"m","params":{"x":1}}',
    { request: { id: "a", method: "m", params: { x: 1 } } },
  ],
  [
    "a notification",
    '{"jsonrpc":"2.0","method":"m","params":[1]}',
    { notification: { method: "m", params: [1] } },
  ],
  ["an answer, which we never asked for", '{"jsonrpc":"2.0","id":1,"result":{}}', {}],
  ["no JSON", "{", { complaint: "ignored a line that is no JSON" }],
  ["nothing", "null", { complaint: "ignored a line that is no JSON-RPC 2.0" }],
  ["a number", "2", { complaint: "ignored a line that is no JSON-RPC 2.0" }],
  [
    "an older JSON-RPC",
    '{"jsonrpc":"1.0","id":1,"method":"m"}',
    { complaint: "ignored a line that is no JSON-RPC 2.0" },
  ],
  ["none at all", '{"id":1,"method":"m"}', { complaint: "ignored a line that is no JSON-RPC 2.0" }],
  ["neither method nor id", '{"jsonrpc":"2.0"}', { complaint: "ignored a message without a method" }],
  [
    "a method that is no text",
    '{"jsonrpc":"2.0","id":1,"method":1}',
    { refusal: { id: 1, error: { code: -32_600, message: "Invalid request: the method must be a text" } } },
  ],
  [
    "parameters that are nothing",
    '{"jsonrpc":"2.0","id":1,"method":"m","params":null}',
    {
      refusal: {
        id: 1,
        error: { code: -32_600, message: "Invalid request: params must be an object, or left out" },
      },
    },
  ],
  [
    "parameters that are a text",
    '{"jsonrpc":"2.0","id":1,"method":"m","params":"p"}',
    {
      refusal: {
        id: 1,
        error: { code: -32_600, message: "Invalid request: params must be an object, or left out" },
      },
    },
  ],
  [
    "an id that is nothing",
    '{"jsonrpc":"2.0","id":null,"method":"m"}',
    {
      refusal: {
        id: null,
        error: {
          code: -32_600,
          message: "Invalid request: the id must be a text or a whole number below 2^53",
        },
      },
    },
  ],
])("a line is parsed as %s", (_, line, incoming) => {
  expect(parseLine(line)).toEqual(incoming);
});

it("an id is a string or a whole number", () => {
  expect(["", "a", 0, -1].map(isRequestId)).toEqual([true, true, true, true]);
  expect([1.5, null, undefined, {}, true].map(isRequestId)).toEqual([false, false, false, false, false]);
});

const LONGEST = 16 * 1024 * 1024;

/** Each line is a notification, and what is heard of it is its method. */
function hear(pieces: Buffer[]): string[] {
  const read = createReader();
  return pieces
    .flatMap((piece) => read(piece))
    .flatMap(({ notification, complaint }) => notification?.method ?? complaint ?? []);
}

const asLine = (method: string): string => JSON.stringify({ jsonrpc: "2.0", method });

it("lines are complete wherever the pieces end; an empty line is ignored, and one without its end is not yet a line", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "魔", "\n"), maxLength: 40 });
  fc.assert(
    fc.property(text, fc.array(fc.nat(200), { maxLength: 6 }), (written, places) => {
      const bytes = Buffer.from(written.replaceAll(/[^\n]+/g, asLine));
      const cuts = [0, ...places.filter((place) => place < bytes.length), bytes.length].toSorted(
        (a, b) => a - b,
      );
      const chunks = cuts.slice(1).map((end, index) => bytes.subarray(cuts[index], end));
      const lines = written.split("\n").slice(0, -1);
      expect(hear(chunks)).toEqual(lines.filter((line) => line !== ""));
    }),
  );
});

it("a line of the maximum length is accepted, a longer one is refused, and its neighbours are accepted", () => {
  const fits = asLine("x".repeat(LONGEST - asLine("").length));
  const pieces = [`${asLine("before")}\n`, fits, "\n", fits, "y", fits, `\n${asLine("after")}\n`];
  const heard = hear(pieces.map((piece) => Buffer.from(piece)));
  expect(heard.map((line) => (line.startsWith("x") ? "longest" : line))).toEqual([
    "before",
    "longest",
    "refused a line that is too long",
    "after",
  ]);
});
