import { PassThrough, Writable } from "node:stream";
import { expect, it, vi } from "vitest";
import type { AnswerDelivery } from "../../../src/relay/answer-delivery.ts";
import { serve } from "../../../src/relay/connection.ts";
import type { CallResult, ToolServer } from "../../../src/relay/protocol.ts";
import { waitUntil } from "../../support/wait-until.ts";

/** A connection with one tool that answers when it is told to. */
function open({ wantsToKnow = false } = {}) {
  const dropped: string[] = [];
  const input = new PassThrough();
  const written: string[] = [];
  const complaints: string[] = [];
  const delivery: string[] = [];
  const output = new Writable({
    write(chunk, _, done) {
      written.push(String(chunk));
      done();
    },
  });
  let finish: ((result: CallResult | Error) => void) | undefined;
  const server: ToolServer = {
    name: "n",
    version: "v",
    instructions: "",
    tools: () => ({
      toolNames: ["slow"],
      listTools: () => [],
      callTool: (_, __, call) =>
        new Promise((resolve, reject) => {
          if (wantsToKnow) call.onDropped((why) => void dropped.push(why));
          finish = (result) => {
            if (result === ANSWER) call.awaitArrival({ onArrival() {} });
            if (result instanceof Error) reject(result);
            else resolve(result);
          };
        }),
    }),
  };
  const watched: AnswerDelivery = {
    written: (id) => delivery.push(`written ${id}`),
    cancelled: (id) => delivery.push(`cancelled ${id}`),
    heard() {},
    confirmAll() {},
    areAwaited: () => false,
  };
  let over = false;
  const end = serve({
    input,
    output,
    server,
    delivery: watched,
    complain: (sentence) => complaints.push(sentence),
  });
  void end.then(() => (over = true));
  const say = (message: object): void =>
    void input.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  return {
    input,
    output,
    written,
    complaints,
    delivery,
    dropped,
    end,
    isOver: () => over,
    say,
    call: (id: number) => say({ id, method: "tools/call", params: { name: "slow" } }),
    cancel: (requestId: unknown) => say({ method: "notifications/cancelled", params: { requestId } }),
    finish: (result: CallResult | Error) => finish?.(result),
    /** Resolves when everything sent so far has been handled. */
    async settle() {
      const before = written.length;
      say({ id: "settle", method: "ping" });
      await waitUntil("the ping is answered", () => written.length > before);
      if (written.at(-1)?.includes('"settle"')) written.pop();
    },
  };
}

const ANSWER: CallResult = { result: { content: [] } };

it("a request is answered on a line of its own, and its arrival is watched", async () => {
  const connection = open();
  connection.call(7);
  await connection.settle();
  connection.finish(ANSWER);
  await waitUntil("the answer", () => connection.delivery.length > 0);
  expect(connection.written).toEqual(['{"jsonrpc":"2.0","id":7,"result":{"content":[]}}\n']);
  expect(connection.delivery).toEqual(["written 7"]);
});

it("an answer whose arrival does not matter is not watched", async () => {
  const connection = open();
  connection.call(7);
  await connection.settle();
  connection.finish({ result: {} });
  await waitUntil("the answer", () => connection.written.length > 0);
  await connection.settle();
  expect(connection.delivery).toEqual([]);
});

it("a request that is cancelled while it is being answered gets no answer", async () => {
  const connection = open();
  connection.call(7);
  connection.cancel(7);
  await connection.settle();
  connection.finish(ANSWER);
  await connection.settle();
  expect([connection.written, connection.delivery]).toEqual([[], []]);
});

it("a cancellation of an answered request is passed on; others have no effect", async () => {
  const connection = open();
  connection.cancel(7);
  connection.cancel({});
  connection.say({ method: "notifications/cancelled" });
  connection.say({ method: "notifications/cancelled", params: [] });
  connection.say({ method: "notifications/other", params: { requestId: 8 } });
  await connection.settle();
  expect([connection.delivery, connection.complaints]).toEqual([["cancelled 7"], []]);
});

it("a request that makes the server throw gets an error with the reason, which is also printed", async () => {
  const connection = open();
  connection.call(7);
  await connection.settle();
  connection.finish(new Error("no disk"));
  await waitUntil("the answer", () => connection.written.length > 0);
  expect(JSON.parse(connection.written[0] ?? "")).toEqual({
    jsonrpc: "2.0",
    id: 7,
    error: { code: -32_603, message: "Internal error: no disk" },
  });
  expect(connection.complaints).toEqual(["could not answer tools/call: no disk"]);
});

it("what the protocol refuses gets an error, even a line that is too long; what is not a request is printed", async () => {
  const connection = open();
  connection.say({ id: 1, method: "burn" });
  connection.input.write("nonsense\n");
  connection.input.write(`${"x".repeat(16 * 1024 * 1024 + 1)}\n`);
  connection.say({ id: 9, result: {} });
  await waitUntil("two answers", () => connection.written.length > 1);
  const answers = connection.written
    .map((line) => JSON.parse(line))
    .toSorted((one) => (one.id === 1 ? -1 : 1));
  expect(answers).toMatchObject([
    { id: 1, error: { code: -32_601 } },
    { id: null, error: { code: -32_600 } },
  ]);
  await connection.settle();
  expect(connection.complaints).toEqual([
    "ignored a line that is no JSON",
    "refused a line that is too long",
  ]);
});

it("a client that was suspended may cancel an answer long after it was written, until it sends another request", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  try {
    const connection = open({ wantsToKnow: true });
    const answerOne = async (id: number): Promise<void> => {
      connection.call(id);
      await vi.waitUntil(() => {
        connection.finish(ANSWER);
        return connection.written.some((line) => line.includes(`"id":${id},`));
      });
      await vi.advanceTimersByTimeAsync(60_000);
    };
    await answerOne(7);
    connection.cancel(7);
    await vi.waitUntil(() => connection.dropped.length === 1);
    await answerOne(8);
    await answerOne(9);
    connection.cancel(8);
    await vi.waitUntil(() => connection.delivery.includes("cancelled 8"));
    expect(connection.dropped).toEqual(["cancelled"]);
  } finally {
    vi.useRealTimers();
  }
});

it("a client that has closed its side still gets the answer in progress", async () => {
  const connection = open();
  connection.call(7);
  await connection.settle();
  connection.input.end();
  await new Promise((resolve) => connection.input.on("end", resolve));
  await Promise.resolve();
  expect(connection.isOver()).toBe(false);
  connection.finish(ANSWER);
  await connection.end;
  expect(connection.written).toHaveLength(1);
});

it("an answer that never comes does not hold up the end after the client has left", async () => {
  const connection = open();
  connection.call(7);
  await connection.settle();
  connection.input.end();
  // It does not keep the process alive either.
  const alive = setInterval(() => {}, 1_000);
  await connection.end;
  clearInterval(alive);
  expect(connection.written).toEqual([]);
});

it.each(["input", "output"] as const)("a broken %s ends the connection", async (side) => {
  const connection = open();
  connection[side].destroy(new Error("EPIPE"));
  await connection.end;
  expect(connection.isOver()).toBe(true);
});

it("an answer that could not be written has not arrived", async () => {
  const connection = open();
  connection.call(7);
  await connection.settle();
  connection.output.destroy(new Error("EPIPE"));
  connection.finish(ANSWER);
  await connection.end;
  await new Promise((resolve) => setImmediate(resolve));
  expect(connection.delivery).toEqual([]);
});
