import { describe, expect, it } from "vitest";
import { INITIALIZE, startRawRelay } from "../support/raw-relay.ts";
import { makeSandbox } from "../support/sandbox.ts";
import { programPath } from "../support/program-path.ts";

const envelope = (version: unknown = "2026-07-28", more: object = {}): object => ({
  _meta: {
    "io.modelcontextprotocol/protocolVersion": version,
    "io.modelcontextprotocol/clientInfo": INITIALIZE.clientInfo,
    "io.modelcontextprotocol/clientCapabilities": {},
    ...more,
  },
});
const withoutCapabilities = { "io.modelcontextprotocol/clientCapabilities": undefined };
const initialized: [string, object] = ["initialize", INITIALIZE];

/** Conversations that the relay must answer like the official server. */
const conversations: Record<string, [method: string, params?: unknown][]> = {
  "initialize with the latest version of its family": [initialized],
  "initialize with an older version": [["initialize", { ...INITIALIZE, protocolVersion: "2024-11-05" }]],
  "initialize with a version nobody knows": [
    ["initialize", { ...INITIALIZE, protocolVersion: "2099-01-01" }],
  ],
  "initialize twice": [initialized, initialized],
  "ping and the list of tools": [initialized, ["ping"], ["tools/list"], ["tools/list", { cursor: "x" }]],
  "a call": [initialized, ["tools/call", { name: "check_inbox" }]],
  "a call of a tool that is not there": [initialized, ["tools/call", { name: "nope", arguments: {} }]],
  "a call with arguments that are no object": [
    initialized,
    ["tools/call", { name: "check_inbox", arguments: [] }],
  ],
  "a call without a name": [initialized, ["tools/call"], ["tools/call", {}], ["tools/call", { name: 7 }]],
  "methods of servers with more than tools": [
    initialized,
    ["resources/list"],
    ["prompts/list"],
    ["logging/setLevel"],
  ],
  "tools before initialize": [["tools/list"]],
  discover: [["server/discover", envelope()]],
  "discover without an envelope": [["server/discover"]],
  "discover with a version nobody knows": [["server/discover", envelope("2027-01-01")]],
  "discover with a version that is no text": [["server/discover", envelope(7)]],
  "discover without the client's capabilities": [
    ["server/discover", envelope("2026-07-28", withoutCapabilities)],
  ],
  "discover, then the older handshake": [["server/discover", envelope()], initialized, ["tools/list"]],
  "the list of tools with an envelope": [["tools/list", envelope()]],
  "a call with an envelope": [["tools/call", { name: "check_inbox", arguments: {}, ...envelope() }]],
  "a wrong call with an envelope": [
    ["tools/call", { arguments: {}, ...envelope() }],
    ["tools/call", { name: "nope", ...envelope() }],
  ],
  "methods that 2026-07-28 does not have": [
    ["ping", envelope()],
    ["initialize", { ...INITIALIZE, ...envelope() }],
    ["foo/bar", envelope()],
  ],
};

describe("the relay answers like the official server:", () => {
  it.each(Object.entries(conversations))("%s", async (_what, requests) => {
    await using sandbox = makeSandbox();
    const ours = startRawRelay(sandbox, "overlord");
    const { result } = await startRawRelay(sandbox, "overlord").ask("initialize", INITIALIZE);
    const { tools } = (await startRawRelay(sandbox, "overlord").ask("tools/list")).result;
    const { serverInfo, instructions } = result;
    const program = [programPath("reference-server.mjs")];
    const reference = startRawRelay(sandbox, "overlord", [
      ...program,
      JSON.stringify({ ...serverInfo, instructions, tools }),
    ]);
    for (const [method, params] of requests) {
      const [answer, expected] = await Promise.all([ours.ask(method, params), reference.ask(method, params)]);
      expect(withoutWording(answer)).toEqual(withoutWording(expected));
    }
  });
});

/** The wording and the details of an error may differ between servers, its meaning may not. */
function withoutWording(answer: { error?: { code: number } }): object {
  return answer.error ? { ...answer, error: answer.error.code } : answer;
}
