import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import { INITIALIZE, startRawRelay, type RawRelay } from "../support/raw-relay.ts";
import { makeStore } from "../support/store.ts";
import { makeSandbox, type Sandbox } from "../support/sandbox.ts";

async function startInitialized(sandbox: Sandbox): Promise<RawRelay> {
  const relay = startRawRelay(sandbox, "overlord");
  await relay.ask("initialize", INITIALIZE);
  return relay;
}

it.each([
  ["params that are null", '{"jsonrpc":"2.0","id":7,"method":"ping","params":null}', 7],
  ["params that are a number", '{"jsonrpc":"2.0","id":"seven","method":"ping","params":7}', "seven"],
  ["a method that is no text", '{"jsonrpc":"2.0","id":7,"method":{}}', 7],
  ["a batch", '[{"jsonrpc":"2.0","id":7,"method":"ping"}]', null],
  ["an empty batch", "[]", null],
  ["an id that is null", '{"jsonrpc":"2.0","id":null,"method":"ping"}', null],
  ["an id that would be rounded", '{"jsonrpc":"2.0","id":12345678901234567890,"method":"ping"}', null],
  ["an id beyond all numbers", '{"jsonrpc":"2.0","id":1e400,"method":"ping"}', null],
  ["an id that is an object", '{"jsonrpc":"2.0","id":{},"method":"ping"}', null],
])("%s are answered with the protocol's error", async (_what, line, id) => {
  await using sandbox = makeSandbox();
  const relay = await startInitialized(sandbox);
  relay.write(line);
  await expect.poll(() => relay.lines.length).toBe(2);
  expect(JSON.parse(relay.lines[1] ?? "")).toMatchObject({ jsonrpc: "2.0", id, error: { code: -32_600 } });
  expect(await relay.ask("ping")).toMatchObject({ result: {} });
});

const filler = "x".repeat(17 * 1024 * 1024);

it.each([
  ["first", `{"jsonrpc":"2.0","id":7,"method":"ping","params":{"x":"${filler}"}}`, 7],
  ["last", `{"method":"ping","params":{"x":"${filler}"},"jsonrpc":"2.0","id":"seven"}`, "seven"],
  ["nowhere", filler, null],
])("a line over 16 MiB with its id %s is answered with the protocol's error", async (_where, line, id) => {
  await using sandbox = makeSandbox();
  const relay = await startInitialized(sandbox);
  relay.write(line);
  await expect.poll(() => relay.lines.length).toBe(2);
  expect(JSON.parse(relay.lines[1] ?? "")).toMatchObject({ id, error: { code: -32_600 } });
  expect(await relay.ask("ping")).toMatchObject({ result: {} });
});

it("a wrong argument is repeated neither with half a character in it nor at full length", async () => {
  await using sandbox = makeSandbox();
  const relay = await startInitialized(sandbox);
  for (let shift = 0; shift < 4; shift += 1) {
    const word = "a".repeat(shift) + "👩‍👩‍👧‍👦".repeat(100);
    const call = { name: "get_status", arguments: { role: word } };
    const { result } = await relay.ask("tools/call", call);
    const { text } = result.content[0];
    expect(text.isWellFormed()).toBe(true);
    expect(text).toMatch(/(👩‍👩‍👧‍👦)+…/u);
    expect(text).not.toMatch(/\u200d…/);
    const { error } = await relay.ask("tools/call", { name: word });
    expect(error.message.isWellFormed()).toBe(true);
    expect(error.message.length).toBeLessThan(300);
  }
});

it("a client that does not read its answers does not make the relay's memory grow, and gets them all when it reads", async () => {
  await using sandbox = makeSandbox();
  const relay = await startInitialized(sandbox);
  const before = memoryOf(relay);
  relay.child.stdout.pause();
  const requests = 60_000;
  const long = "x".repeat(2_000);
  const lines = Array.from(
    { length: requests },
    (_, index) => `{"jsonrpc":"2.0","id":"${index} ${long}","method":"ping"}\n`,
  );
  relay.child.stdin.write(lines.join(""));
  await expect.poll(() => isAsleep(relay), { interval: 500 }).toBe(true);
  expect(memoryOf(relay) - before).toBeLessThan(80);
  relay.child.stdout.resume();
  await expect.poll(() => relay.lines.length).toBe(requests + 1);
});

it("hundreds of small requests in one piece, each with a large answer, do not make the relay's memory grow either", async () => {
  await using store = makeStore();
  for (let count = 0; count < 8; count += 1)
    store.send({ from: "storm", to: "overlord", body: "x".repeat(59_000) });
  const relay = await startInitialized(store.sandbox);
  const before = memoryOf(relay);
  relay.child.stdout.pause();
  const requests = 600;
  const lines = Array.from(
    { length: requests },
    (_, id) => `{"jsonrpc":"2.0","id":"${id}","method":"tools/call","params":{"name":"check_inbox"}}\n`,
  );
  relay.child.stdin.write(lines.join(""));
  await expect.poll(() => isAsleep(relay), { interval: 500 }).toBe(true);
  expect(memoryOf(relay) - before).toBeLessThan(80);
  relay.child.stdout.resume();
  await expect.poll(() => relay.lines.length).toBeGreaterThan(20);
});

/** In megabytes. */
function memoryOf({ child }: RawRelay): number {
  const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

/** Whether it has used no processor time for a moment, so that it has read all it will. */
async function isAsleep({ child }: RawRelay): Promise<boolean> {
  const used = (): number => Number(readFileSync(`/proc/${child.pid}/schedstat`, "utf8").split(" ")[0]);
  const before = used();
  await pause(500);
  return used() - before < 20e6;
}

it("half a character in an argument and an endless version are not repeated as they are", async () => {
  await using sandbox = makeSandbox();
  const relay = await startInitialized(sandbox);
  const { result } = await relay.ask("tools/call", { name: "get_status", arguments: { role: "\ud800" } });
  expect(result.content[0].text).toContain('role is "\uFFFD"');
  const envelope = {
    "io.modelcontextprotocol/protocolVersion": `\u001b[31m${"y".repeat(100_000)}`,
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const { error } = await relay.ask("ping", { _meta: envelope });
  expect(JSON.stringify(error)).toContain("Unsupported protocol version: \uFFFD[31myyy");
  expect(JSON.stringify(error).length).toBeLessThan(400);
});

it("the name of a tool that does not exist is repeated without control characters", async () => {
  await using sandbox = makeSandbox();
  const relay = await startInitialized(sandbox);
  const { error } = await relay.ask("tools/call", { name: "\u009b2J\u001b[31m" });
  expect(error.message).toContain('"\u{FFFD}2J\u{FFFD}[31m"');
});
