import { expect, it } from "vitest";
import { makeCall } from "../../support/relay-call.ts";
import { answerCall, type ToolServer } from "../../../src/relay/protocol.ts";

const VERSION = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";
const ENVELOPE = { [VERSION]: "2026-07-28", [CAPABILITIES]: {} };
const SEAL = { _meta: { "io.modelcontextprotocol/serverInfo": { name: "n", version: "v" } } };

const called: unknown[] = [];
const arrived = (): void => {};
const server: ToolServer = {
  name: "n",
  version: "v",
  instructions: "how to",
  tools: () => ({
    toolNames: ["one", "two"],
    listTools: () => [{ name: "one" }],
    callTool(name, input) {
      called.push([name, input]);
      return name === "one" ? Promise.resolve({ result: { content: [] }, onArrival: arrived }) : undefined;
    },
  }),
};
const ask = (method: string, params?: unknown) => answerCall(server, { id: 1, method, params }, makeCall());

it.each([
  ["2025-11-25", "2025-11-25"],
  ["2025-06-18", "2025-06-18"],
  ["2025-03-26", "2025-03-26"],
  ["2024-11-05", "2024-11-05"],
  ["2024-10-07", "2024-10-07"],
  ["1999-01-01", "2025-11-25"],
  ["2026-07-28", "2025-11-25"],
])("initialize for %s is answered with %s", async (wish, protocolVersion) => {
  expect(await ask("initialize", { protocolVersion: wish })).toEqual({
    result: {
      protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: "n", version: "v" },
      instructions: "how to",
    },
  });
});

it.each([undefined, {}, [], { protocolVersion: 1 }])("initialize with %o is refused", async (params) => {
  expect(await ask("initialize", params)).toEqual({
    error: { code: -32_602, message: "Invalid request: initialize needs a protocolVersion" },
  });
});

it("ping, tools/list and tools/call are answered without an envelope; the arrival is passed on", async () => {
  expect(await ask("ping")).toEqual({ result: {} });
  expect(await ask("tools/list")).toEqual({ result: { tools: [{ name: "one" }] } });
  called.length = 0;
  expect(await ask("tools/call", { name: "one" })).toEqual({ result: { content: [] }, onArrival: arrived });
  await ask("tools/call", { name: "one", arguments: { a: 1 } });
  expect(called).toEqual([
    ["one", {}],
    ["one", { a: 1 }],
  ]);
});

it.each([
  ["server/discover", undefined, "Method not found", -32_601],
  ["tools/burn", undefined, "Method not found", -32_601],
  ["tools/call", undefined, "Invalid request: tools/call needs the name of a tool", -32_602],
  ["tools/call", [], "Invalid request: tools/call needs the name of a tool", -32_602],
  ["tools/call", { name: 1 }, "Invalid request: tools/call needs the name of a tool", -32_602],
  [
    "tools/call",
    { name: "one", arguments: [] },
    "Invalid request: the arguments of tools/call must be an object",
    -32_602,
  ],
  ["tools/call", { name: "no" }, 'Invalid request: there is no tool "no", there are one, two', -32_602],
])("%s with %o is refused: %s", async (method, params, message, code) => {
  expect(await ask(method, params)).toEqual({ error: { code, message } });
});

it("with the envelope of 2026 every result carries what that revision requires, and only a call's may be cached", async () => {
  const about = { resultType: "complete", ttlMs: 0, cacheScope: "private", ...SEAL };
  expect(await ask("server/discover", { _meta: ENVELOPE })).toEqual({
    result: {
      supportedVersions: ["2026-07-28"],
      capabilities: { tools: {} },
      instructions: "how to",
      ...about,
    },
  });
  expect(await ask("tools/list", { _meta: ENVELOPE })).toEqual({
    result: { tools: [{ name: "one" }], ...about },
  });
  expect(await ask("tools/call", { _meta: ENVELOPE, name: "one" })).toEqual({
    result: { content: [], resultType: "complete", ...SEAL },
    onArrival: arrived,
  });
  expect(await ask("tools/burn", { _meta: ENVELOPE })).toEqual({
    error: { code: -32_601, message: "Method not found" },
  });
});

it.each([
  [
    { [VERSION]: 2, [CAPABILITIES]: {} },
    { code: -32_602, message: `Invalid request: ${VERSION} must be a string` },
  ],
  [{ [VERSION]: "2026-07-28" }, { code: -32_602, message: `Invalid request: ${CAPABILITIES} is missing` }],
  [
    { [VERSION]: "2031-01-01", [CAPABILITIES]: {} },
    {
      code: -32_022,
      message: "Unsupported protocol version: 2031-01-01",
      data: { supported: ["2026-07-28"], requested: "2031-01-01" },
    },
  ],
])("the envelope %o is refused", async (envelope, error) => {
  expect(await ask("tools/list", { _meta: envelope })).toEqual({ error });
});

it.each([{ _meta: null }, { _meta: {} }, { _meta: [] }, []])("%o has no envelope", async (params) => {
  expect(await ask("tools/list", params)).toEqual({ result: { tools: [{ name: "one" }] } });
});
