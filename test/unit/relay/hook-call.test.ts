import { expect, it } from "vitest";
import type { HookCall } from "../../../src/bell/agent-watch.ts";
import { takeHookCall } from "../../../src/relay/hook-call.ts";

const REFUSED = {
  result: {
    content: [{ type: "text", text: "This tool is for the hooks of the army alone. Nothing was done." }],
    isError: true,
  },
};

function call(input: object, secret: string | undefined, answer?: string) {
  const heard: HookCall[] = [];
  const result = takeHookCall(input, secret, (each) => {
    heard.push(each);
    return answer;
  });
  return { result, heard };
}

it("a hook with the right secret is heard, with what it left out as nothing, and answered", () => {
  expect(call({ secret: "s", event: "Stop" }, "s")).toEqual({
    result: { result: { content: [{ type: "text", text: "{}" }] } },
    heard: [{ event: "Stop", source: "", tool: "", prompt: "", error: "", words: "" }],
  });
  const full = { event: "UserPromptSubmit", source: "a", tool: "b", prompt: "c", error: "d", words: "e" };
  expect(call({ secret: "s", ...full }, "s", "answer")).toEqual({
    result: { result: { content: [{ type: "text", text: "answer" }] } },
    heard: [full],
  });
});

it.each([
  ["another secret", { secret: "x", event: "Stop" }, "s"],
  ["no secret", { event: "Stop" }, "s"],
  ["an unknown event", { secret: "s", event: "Dance" }, "s"],
  ["a relay without a secret", { secret: "s", event: "Stop" }, undefined],
])("a call with %s is refused and not heard", (_, input, secret) => {
  expect(call(input, secret)).toEqual({ result: REFUSED, heard: [] });
});
