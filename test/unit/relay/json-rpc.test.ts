import { expect, it } from "vitest";
import { isRequestId, parseLine, splitLines } from "../../../src/relay/json-rpc.ts";
import { PassThrough } from "node:stream";
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
  ["an answer, which we never asked for", '{"jsonrpc":"2.0","id":1,"result":{}}', { answer: true }],
  ["no JSON", "{", { garbage: "a line that is no JSON" }],
  ["nothing", "null", { garbage: "a line that is no JSON-RPC 2.0" }],
  ["a number", "2", { garbage: "a line that is no JSON-RPC 2.0" }],
  [
    "an older JSON-RPC",
    '{"jsonrpc":"1.0","id":1,"method":"m"}',
    { garbage: "a line that is no JSON-RPC 2.0" },
  ],
  ["none at all", '{"id":1,"method":"m"}', { garbage: "a line that is no JSON-RPC 2.0" }],
  ["neither method nor id", '{"jsonrpc":"2.0"}', { garbage: "a message without a method" }],
  [
    "a method that is no text",
    '{"jsonrpc":"2.0","id":1,"method":1}',
    { refusal: { id: 1, message: "Invalid request: the method must be a text" } },
  ],
  [
    "parameters that are nothing",
    '{"jsonrpc":"2.0","id":1,"method":"m","params":null}',
    { refusal: { id: 1, message: "Invalid request: params must be an object, or left out" } },
  ],
  [
    "parameters that are a text",
    '{"jsonrpc":"2.0","id":1,"method":"m","params":"p"}',
    { refusal: { id: 1, message: "Invalid request: params must be an object, or left out" } },
  ],
  [
    "an id that is nothing",
    '{"jsonrpc":"2.0","id":null,"method":"m"}',
    { refusal: { id: null, message: "Invalid request: the id must be a text or a whole number below 2^53" } },
  ],
])("a line is parsed as %s", (_, line, incoming) => {
  expect(parseLine(line)).toEqual(incoming);
});

it("an id is a string or a whole number", () => {
  expect(["", "a", 0, -1].map(isRequestId)).toEqual([true, true, true, true]);
  expect([1.5, null, undefined, {}, true].map(isRequestId)).toEqual([false, false, false, false, false]);
});

const LONGEST = 16 * 1024 * 1024;

async function hear(chunks: Buffer[]): Promise<string[]> {
  const input = new PassThrough();
  const heard: string[] = [];
  splitLines(input, { line: (text) => heard.push(text), tooLong: () => heard.push("too long") });
  for (const chunk of chunks) input.write(chunk);
  input.end();
  await new Promise((resolve) => input.on("end", resolve));
  return heard;
}

it("lines are complete wherever the pieces end; an empty line is ignored, and one without its end is not yet a line", async () => {
  const text = fc.string({ unit: fc.constantFrom("a", "魔", "\n"), maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(text, fc.array(fc.nat(40), { maxLength: 6 }), async (written, places) => {
      const bytes = Buffer.from(written);
      const cuts = [0, ...places.filter((place) => place < bytes.length), bytes.length].toSorted(
        (a, b) => a - b,
      );
      const chunks = cuts.slice(1).map((end, index) => bytes.subarray(cuts[index], end));
      const lines = written.split("\n").slice(0, -1);
      expect(await hear(chunks)).toEqual(lines.filter((line) => line !== ""));
    }),
  );
});

it("a line of the maximum length is accepted, a longer one is refused, and its neighbours are accepted", async () => {
  const fits = Buffer.alloc(LONGEST, "x");
  const heard = await hear([
    Buffer.from("before\n"),
    fits,
    Buffer.from("\n"),
    fits,
    Buffer.from("y"),
    fits,
    Buffer.from("\nafter\n"),
  ]);
  expect(heard.map((line) => (line.length === LONGEST ? "longest" : line))).toEqual([
    "before",
    "longest",
    "too long",
    "after",
  ]);
});
