import { expect, it } from "vitest";
import { INITIALIZE, startRawRelay } from "../support/raw-relay.ts";
import { makeSandbox } from "../support/sandbox.ts";

it.each([
  ["text that is no JSON", "hello?"],
  ["JSON that is no request", '{"hello":1}'],
  ["half a request", '{"jsonrpc":"2.0","id":1,"meth'],
  ["an empty line", ""],
  ["bytes that are no UTF-8", "\u{FFFD}\u0000\u001b[2J"],
])("%s is ignored and the relay keeps running", async (_what, line) => {
  await using sandbox = makeSandbox();
  const relay = startRawRelay(sandbox, "overlord");
  relay.write(line);
  expect((await relay.ask("initialize", INITIALIZE)).result.serverInfo.name).toBe("ovld-relay");
  relay.write(line);
  expect((await relay.ask("tools/list")).result.tools).toHaveLength(5);
  expect(relay.stderr()).not.toMatch(/\u001b/);
});

it("a line of 10 MB is answered, one of 40 MB refused, and the relay keeps running", async () => {
  await using sandbox = makeSandbox();
  const relay = startRawRelay(sandbox, "overlord");
  await relay.ask("initialize", INITIALIZE);
  const { result } = await relay.ask("tools/call", heavyCall(10));
  expect(result).toMatchObject({ isError: true });
  expect(result.content[0].text).toContain("the limit is 65536 bytes");
  const refused = await relay.ask("tools/call", heavyCall(40));
  expect(refused.error).toMatchObject({ code: -32_600, message: expect.stringContaining("16777216 bytes") });
  expect((await relay.ask("tools/list")).result.tools).toHaveLength(5);
});

it("a relay reports what it ignores twenty times and no more, because stderr may have no reader", async () => {
  await using sandbox = makeSandbox();
  const relay = startRawRelay(sandbox, "overlord");
  for (let count = 0; count < 30; count += 1) relay.write("hello?");
  await relay.ask("initialize", INITIALIZE);
  const complaints = (): string[] => relay.stderr().trimEnd().split("\n");
  await expect.poll(complaints).toEqual(Array<string>(20).fill("ovld relay: ignored a line that is no JSON"));
});

it("a request before initialize is answered and breaks nothing", async () => {
  await using sandbox = makeSandbox();
  const relay = startRawRelay(sandbox, "overlord");
  const early = await relay.ask("tools/list");
  expect(early.result ?? early.error).toBeDefined();
  expect((await relay.ask("initialize", INITIALIZE)).result.serverInfo.name).toBe("ovld-relay");
  expect((await relay.ask("tools/list")).result.tools).toHaveLength(5);
});

it("an unknown method is a protocol error", async () => {
  await using sandbox = makeSandbox();
  const relay = startRawRelay(sandbox, "overlord");
  await relay.ask("initialize", INITIALIZE);
  expect((await relay.ask("tools/burn")).error.code).toBe(-32_601);
});

it("stdout carries only the protocol, one JSON object per line", async () => {
  await using sandbox = makeSandbox();
  const relay = startRawRelay(sandbox, "overlord");
  await relay.ask("initialize", INITIALIZE);
  await relay.ask("tools/call", {
    name: "send_message",
    arguments: { to: "storm", subject: "s", body: "a\nb" },
  });
  await relay.ask("tools/call", { name: "nonsense" });
  for (const line of relay.lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: "2.0" });
});

function heavyCall(megabytes: number): object {
  return {
    name: "send_message",
    arguments: { to: "storm", subject: "s", body: "x".repeat(megabytes * 1024 * 1024) },
  };
}
