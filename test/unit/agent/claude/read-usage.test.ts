import { appendFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readUsage } from "../../../../src/agent/claude/read-usage.ts";
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
