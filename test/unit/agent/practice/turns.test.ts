import { expect, it } from "vitest";
import { takeTurns, type Turns } from "../../../../src/agent/practice/turns.ts";

interface Told {
  turns: Turns;
  told: string[];
  idle: () => boolean;
}

/** Turns whose work takes a moment; `more` is what the Stop hook adds, one after the other. */
function begin(more: (string | undefined)[] = []): Told {
  const told: string[] = [];
  let busy = true;
  const turns = takeTurns({
    async perform({ prompt }, { signal }) {
      told.push(`perform ${prompt}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
      signal.throwIfAborted();
    },
    async fire(event) {
      told.push(event);
      return event === "Stop" ? more.shift() : undefined;
    },
    begun: ({ prompt }) => told.push(`begun ${prompt}`),
    broken: (_error, interrupted) => told.push(interrupted ? "interrupted" : "failed"),
    ended: () => {},
    changed: (now) => (busy = now.busy),
    record: () => {},
  });
  return { turns, told, idle: () => !busy };
}

it("a turn reports its prompt, does its work and reports its end", async () => {
  const { turns, told, idle } = begin();
  turns.submit({ prompt: "a" });
  await expect.poll(idle).toBe(true);
  expect(told).toEqual(["begun a", "UserPromptSubmit", "perform a", "Stop"]);
});

it("prompts submitted during a turn become turns of their own, in order", async () => {
  const { turns, told, idle } = begin();
  for (const prompt of ["a", "b", "c"]) turns.submit({ prompt });
  await expect.poll(idle).toBe(true);
  expect(told.filter((line) => line.startsWith("perform"))).toEqual(["perform a", "perform b", "perform c"]);
});

it("what the Stop hook adds makes the turn continue, without a new prompt", async () => {
  const { turns, told, idle } = begin(["mail"]);
  turns.submit({ prompt: "a" });
  await expect.poll(idle).toBe(true);
  expect(told).toEqual(["begun a", "UserPromptSubmit", "perform a", "Stop", "perform mail", "Stop"]);
});

it("a Stop hook that always adds something is obeyed eight times in a row", async () => {
  const { turns, told, idle } = begin(Array.from({ length: 20 }, () => "more"));
  turns.submit({ prompt: "a" });
  await expect.poll(idle).toBe(true);
  expect(told.filter((line) => line === "perform more")).toHaveLength(8);
});

it("an interruption ends the turn as a failed stop, and the next turn runs", async () => {
  const { turns, told, idle } = begin();
  turns.submit({ prompt: "a" });
  turns.submit({ prompt: "b" });
  turns.interrupt();
  await expect.poll(idle).toBe(true);
  expect(told).toEqual([
    "begun a",
    "UserPromptSubmit",
    "perform a",
    "interrupted",
    "StopFailure",
    "begun b",
    "UserPromptSubmit",
    "perform b",
    "Stop",
  ]);
});

it("an interruption between turns has no effect", () => {
  const { turns, told } = begin();
  turns.interrupt();
  expect(told).toEqual([]);
});
