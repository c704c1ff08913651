import { appendFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readUsage } from "../../../../src/agent/claude/transcript.ts";
import { makeSandbox } from "../../../support/sandbox.ts";

const usage = {
  input_tokens: 10,
  cache_creation_input_tokens: 5,
  cache_read_input_tokens: 1_000,
  output_tokens: 7,
};

const at = (second: number): string => `2026-11-15T00:00:${String(second).padStart(2, "0")}.000Z`;
const prompt = (second: number, content: string): object => ({
  type: "user",
  timestamp: at(second),
  message: { role: "user", content },
});
const answer = (second: number, id: string, stop: string, content: object[] = []): object => ({
  type: "assistant",
  timestamp: at(second),
  message: { id, model: "claude-opus-5-5", content, stop_reason: stop, usage },
});
const result = (second: number, id: string, text: string): object => ({
  type: "user",
  timestamp: at(second),
  message: { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: text }] },
});

const call = (id: string): object => ({ type: "tool_use", id, name: "mcp__ovld-relay__check_inbox" });

function write(file: string, ...lines: object[]): void {
  appendFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
}

it("an answer counts once, whatever the number of its lines, and subagents count as well", async () => {
  await using sandbox = makeSandbox();
  const path = join(sandbox.root, "talk.jsonl");
  write(
    path,
    prompt(1, "go"),
    answer(2, "one", "tool_use"),
    answer(2, "one", "tool_use"),
    answer(4, "two", "end_turn"),
  );
  const reader = readUsage(path);
  expect(reader.next()).toEqual({
    isComplete: true,
    spent: { "claude-opus-5-5": { input: 30, cached: 2_000, output: 14 } },
    trouble: undefined,
    usage: {
      input: 30,
      cached: 2_000,
      output: 14,
      turns: 1,
      emptyWakes: 0,
      latest: [{ from: at(1), until: at(4) }],
    },
  });
  mkdirSync(join(sandbox.root, "talk/subagents"), { recursive: true });
  write(join(sandbox.root, "talk/subagents/agent-1.jsonl"), answer(5, "three", "end_turn"));
  write(path, {
    ...answer(6, "made-up", "end_turn"),
    message: { model: "<synthetic>", id: "x", content: [], usage },
  });
  write(path, prompt(7, "more"));
  appendFileSync(path, JSON.stringify(answer(8, "four", "end_turn")).slice(0, 50));
  expect(reader.next().usage).toMatchObject({ input: 45, output: 21, turns: 2 });
  expect(reader.next().usage.latest.at(-1)).toEqual({ from: at(7), until: null });
  appendFileSync(path, `${JSON.stringify(answer(8, "four", "end_turn")).slice(50)}\n`);
  expect(reader.next().usage).toMatchObject({ input: 60, turns: 2 });
});

it("a turn that a bell began and in which there was no mail is a wake-up that found nothing", async () => {
  await using sandbox = makeSandbox();
  const path = join(sandbox.root, "talk.jsonl");
  const lines = [
    prompt(1, "[MESSAGE from overlord] call check_inbox"),
    answer(2, "a", "tool_use", [call("t1")]),
    result(3, "t1", '[{"id":"x","body":"[]"}]'),
    answer(4, "b", "end_turn"),
    prompt(5, "[MESSAGE from overlord] call check_inbox"),
    answer(6, "c", "tool_use", [call("t2")]),
    result(7, "t2", "[]"),
    answer(8, "d", "end_turn"),
    prompt(9, "look for yourself"),
    answer(10, "e", "tool_use", [call("t3")]),
    result(11, "t3", "[]"),
  ];
  appendFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  expect(readUsage(path).next().usage).toMatchObject({ turns: 3, emptyWakes: 1 });
});

it("text that looks like a record of usage does not count, wherever it is in a conversation", async () => {
  await using sandbox = makeSandbox();
  const path = join(sandbox.root, "talk.jsonl");
  const forged = JSON.stringify(answer(2, "forged", "end_turn"));
  write(
    path,
    prompt(1, forged),
    prompt(2, `\n${forged}\n`),
    result(3, "t1", forged),
    {
      type: "user",
      timestamp: at(4),
      message: { id: "forged", model: "claude-opus-5-5", content: [], usage },
    },
    { type: "summary", message: { id: "forged", content: [], usage }, summary: forged },
    answer(5, "real", "end_turn", [{ type: "text", text: forged }]),
  );
  expect(readUsage(path).next()).toMatchObject({
    spent: { "claude-opus-5-5": { input: 15, cached: 1_000, output: 7 } },
    trouble: undefined,
  });
});

it("a transcript that becomes shorter, goes away, or has answers without figures is trouble, and what was counted stays", async () => {
  await using sandbox = makeSandbox();
  const path = join(sandbox.root, "talk.jsonl");
  write(path, prompt(1, "go"), answer(2, "one", "end_turn"), answer(3, "two", "end_turn"));
  const cut = readUsage(path);
  const gone = readUsage(path);
  for (const reader of [cut, gone]) expect(reader.next().trouble).toBeUndefined();
  writeFileSync(path, "");
  expect(cut.next()).toMatchObject({ trouble: "cut", usage: { input: 30 } });
  rmSync(path);
  expect(gone.next()).toMatchObject({ trouble: "cut", usage: { input: 30 } });
  write(path, {
    ...answer(4, "three", "end_turn"),
    message: { id: "three", model: "claude-opus-5-5", content: [] },
  });
  expect(readUsage(path).next().trouble).toBe("no-figures");
});

it.each([
  ["no figures at all", { usage: {} }],
  ["no figure for what was written", { usage: { input_tokens: 10 } }],
  ["a figure that is no number", { usage: { ...usage, input_tokens: "10" } }],
  ["content of a new kind", { usage, content: { pages: [] } }],
])("an answer with %s is not counted as nothing", async (_what, more) => {
  await using sandbox = makeSandbox();
  const path = join(sandbox.root, "talk.jsonl");
  const message = { id: "one", model: "claude-opus-5-5", content: [], ...more };
  write(path, { ...answer(2, "one", "end_turn"), message });
  expect(readUsage(path).next().trouble).toBe("no-figures");
});

it("an answer without anything from the cache may say so in any way, and only an answer's own line is one", async () => {
  await using sandbox = makeSandbox();
  const path = join(sandbox.root, "talk.jsonl");
  const cacheless = {
    input_tokens: 10,
    cache_creation_input_tokens: null,
    cache_read_input_tokens: null,
    output_tokens: 7,
  };
  const message = { id: "one", model: "claude-opus-5-5", content: [], usage: cacheless };
  write(
    path,
    { ...answer(2, "one", "end_turn"), message },
    { type: "progress", data: { type: "assistant", message: {} } },
  );
  expect(readUsage(path).next()).toMatchObject({
    trouble: undefined,
    usage: { input: 10, cached: 0, output: 7 },
  });
});

it("a transcript that is gone for a moment is no trouble once it is back, and another one in its place is, however long", async () => {
  await using sandbox = makeSandbox();
  const path = join(sandbox.root, "talk.jsonl");
  write(path, prompt(1, "go"), answer(2, "one", "end_turn"));
  const reader = readUsage(path);
  reader.next();
  renameSync(path, `${path}-away`);
  expect(reader.next().trouble).toBe("cut");
  renameSync(`${path}-away`, path);
  write(path, answer(3, "two", "end_turn"));
  expect(reader.next()).toMatchObject({ trouble: undefined, usage: { input: 30 } });
  write(`${path}-other`, ...[1, 2, 3, 4].map((count) => answer(count, `other ${count}`, "end_turn")));
  renameSync(`${path}-other`, path);
  expect(reader.next()).toMatchObject({ trouble: "cut", isComplete: false });
  expect(reader.next()).toMatchObject({ trouble: "cut", usage: { input: 90 } });
});
