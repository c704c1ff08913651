import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import { openMemory } from "../../../../src/agent/practice/memory.ts";
import { takeTurns } from "../../../../src/agent/practice/turns.ts";
import { TEXTS } from "../../../support/texts.ts";

interface Told {
  turns: ReturnType<typeof takeTurns>;
  told: string[];
  /** What the drill was asked about. */
  drilled: string[];
  idle: () => boolean;
}

/** The turns of an agent that answers each prompt with a sentence; `more` is what the Stop hook adds, one after the other. */
function begin(more: (string | undefined)[] = []): Told {
  const [told, drilled]: [string[], string[]] = [[], []];
  let isBusy = true;
  const turns = takeTurns({
    role: "storm",
    texts: { ...TEXTS.en.play, idleTalk: { ...TEXTS.en.play.idleTalk, storm: "answer" } },
    workMs: 0,
    stage: {
      say: (text) => told.push(text),
      quote: (text) => told.push(`begun ${text}`),
      note: (text) => told.push(text),
      show: ({ busy }) => (isBusy = busy),
    },
    memory: openMemory(undefined),
    line: {
      call: async () => ({ text: "", failed: false }),
      async fire(event) {
        told.push(event);
        return event === "Stop" ? { additionalContext: more.shift() } : {};
      },
    },
    wasSent: () => false,
    drill: {
      async during(prompt, { signal }) {
        drilled.push(prompt);
        if (prompt === "wait") await pause(600_000, undefined, { signal });
      },
    },
    record: () => {},
  });
  return { turns, told, drilled, idle: () => !isBusy };
}

it("a turn reports its prompt, does its work and reports its end", async () => {
  const { turns, told, idle } = begin();
  turns.submit({ prompt: "a" });
  await expect.poll(idle).toBe(true);
  expect(told).toEqual(["begun a", "UserPromptSubmit", "answer", "Stop"]);
});

it("a drill takes part in each turn and in each piece of work", async () => {
  const { turns, drilled, idle } = begin();
  const mail = { id: "1", from: "strategist", subject: "Task", body: "Your part" };
  const prompt = `[MESSAGE from strategist]\n${JSON.stringify([mail])}`;
  turns.submit({ prompt });
  await expect.poll(idle).toBe(true);
  expect(drilled).toEqual([prompt, ...TEXTS.en.play.crafts.storm.work]);
});

it("prompts submitted during a turn become turns of their own, in order", async () => {
  const { turns, told, idle } = begin();
  for (const prompt of ["a", "b", "c"]) turns.submit({ prompt });
  await expect.poll(idle).toBe(true);
  expect(told.filter((line) => /^(begun|Stop)/.test(line))).toEqual(
    ["a", "b", "c"].flatMap((prompt) => [`begun ${prompt}`, "Stop"]),
  );
});

it("what the Stop hook adds makes the turn continue, without a new prompt", async () => {
  const { turns, told, idle } = begin(["mail"]);
  turns.submit({ prompt: "a" });
  await expect.poll(idle).toBe(true);
  expect(told).toEqual(["begun a", "UserPromptSubmit", "answer", "Stop", "answer", "Stop"]);
});

it("a Stop hook that always adds something is obeyed eight times in a row", async () => {
  const { turns, told, idle } = begin(Array.from({ length: 20 }, () => "more"));
  turns.submit({ prompt: "a" });
  await expect.poll(idle).toBe(true);
  expect(told.filter((line) => line === "answer")).toHaveLength(1 + 8);
});

it("an interruption ends the turn as a failed stop, and the next turn runs", async () => {
  const { turns, told, idle } = begin();
  turns.submit({ prompt: "wait" });
  turns.submit({ prompt: "b" });
  turns.interrupt();
  await expect.poll(idle).toBe(true);
  expect(told).toEqual([
    "begun wait",
    "UserPromptSubmit",
    TEXTS.en.play.interrupted,
    "StopFailure",
    "begun b",
    "UserPromptSubmit",
    "answer",
    "Stop",
  ]);
});

it("an interruption between turns has no effect", () => {
  const { turns, told } = begin();
  turns.interrupt();
  expect(told).toEqual([]);
});
