import { expect, it } from "vitest";
import { claudeHooks } from "../../../src/agent/claude/hooks.ts";
import type { HookCall } from "../../../src/agent/hook-call.ts";
import { takeHookCall } from "../../../src/relay/take-hook-call.ts";

const REFUSED = {
  result: {
    content: [{ type: "text", text: "This tool is for the hooks of the army alone. Nothing was done." }],
    isError: true,
  },
};

function call(input: object, secret: string | undefined, answer?: string) {
  const heard: HookCall[] = [];
  const hear = (each: HookCall): string | undefined => {
    heard.push(each);
    return answer;
  };
  return {
    result: takeHookCall(input, {
      secret,
      hooks: () => claudeHooks,
      hear,
      hearSubagent: () => {},
      timeOfDay: 0,
    }),
    heard,
  };
}

function answered(text: string): object {
  return { result: { content: [{ type: "text", text }] } };
}

it("a hook with the right secret is accepted and answered", () => {
  const ended = { event: "turn-ended", prompt: "", tool: "", asksForMail: false };
  expect(call({ secret: "s", event: "Stop" }, "s")).toEqual({ result: answered("{}"), heard: [ended] });
  expect(call({ secret: "s", event: "Stop" }, "s", "go on")).toEqual({
    result: answered("go on"),
    heard: [ended],
  });
});

it("a subagent's events are ignored, and it is kept from the mail", () => {
  const subagent = { secret: "s", subagent: "a1" };
  expect(call({ ...subagent, event: "Stop" }, "s")).toEqual({ result: answered("{}"), heard: [] });
  expect(call({ ...subagent, event: "PreToolUse" }, "s")).toEqual({
    result: answered(expect.stringContaining("not for its subagents")),
    heard: [],
  });
});

it.each([
  ["another secret", { secret: "x", event: "Stop" }, "s"],
  ["no secret", { event: "Stop" }, "s"],
  ["an unknown event", { secret: "s", event: "Dance" }, "s"],
  ["a relay without a secret", { secret: "s", event: "Stop" }, undefined],
])("a call with %s is refused", (_, input, secret) => {
  expect(call(input, secret)).toEqual({ result: REFUSED, heard: [] });
});

it("the agent program's code is not loaded for a caller without the secret", () => {
  const taker = {
    secret: "s",
    hooks: () => expect.unreachable(),
    hear: () => undefined,
    hearSubagent: () => {},
    timeOfDay: 0,
  };
  expect(takeHookCall({ secret: "x", event: "Stop" }, taker)).toEqual(REFUSED);
});
