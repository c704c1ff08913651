import { expect, it } from "vitest";
import { isRequestId, parseLine } from "../../../src/relay/json-rpc.ts";

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
