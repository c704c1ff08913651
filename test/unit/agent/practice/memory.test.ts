import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openTranscript } from "../../../../src/agent/claude/transcript.ts";
import { openMemory } from "../../../../src/agent/practice/memory.ts";
import { createPerformance } from "../../../../src/agent/practice/perform.ts";
import { beginPlay, type Cue } from "../../../../src/agent/practice/play.ts";
import { makeSandbox } from "../../../support/sandbox.ts";
import { TEXTS } from "../../../support/texts.ts";

const task: Cue = { cue: "mail", from: "strategist", subject: "the wall", body: "build it" };
const NOTHING_OPEN = { steps: [], begunAt: undefined, cues: [] };

it("what a killed agent had taken, planned, begun and done is known to the process that resumes", async () => {
  await using sandbox = makeSandbox();
  const path = join(sandbox.root, "t.jsonl");
  const steps = beginPlay("storm", TEXTS.en.play)(task);
  const first = openMemory(path);
  expect([first.seen.size, first.play, first.open]).toEqual([0, undefined, NOTHING_OPEN]);
  first.note({ of: "cues", ids: ["a", "b"], cues: [task, task] });
  first.note({ of: "plan", memory: ["a wish"], steps, cues: [task] });
  first.note({ of: "begins", step: 0 });
  first.note({ of: "did", step: 0 });
  first.note({ of: "begins", step: 1 });
  // A line that was cut off in the middle of being written is skipped.
  appendFileSync(path, '{"type":"practice","note":{"of":"did","st');
  const second = openMemory(path);
  expect([...second.seen]).toEqual(["a", "b"]);
  expect(second.play).toEqual(["a wish"]);
  expect(second.open).toEqual({ steps: steps.slice(1), begunAt: expect.any(String), cues: [task] });
  expect(second.open).toEqual(first.open);
  // Nor does it spoil the line that follows.
  second.note({ of: "did", step: 1 });
  expect(openMemory(path).open.steps).toEqual(steps.slice(2));
});

it("a turn that is over leaves nothing open, and a process that ends leaves all of it open", async () => {
  await using sandbox = makeSandbox();
  const path = join(sandbox.root, "t.jsonl");
  const memory = openMemory(path);
  memory.note({ of: "cues", ids: ["a"], cues: [task] });
  memory.close();
  memory.note({ of: "end" });
  expect(openMemory(path).open.cues).toEqual([task]);
  const next = openMemory(path);
  next.note({ of: "end" });
  expect(openMemory(path).open).toEqual(NOTHING_OPEN);
  expect([...openMemory(path).seen]).toEqual(["a"]);
});

interface Performed {
  calls: string[];
  perform: ReturnType<typeof createPerformance>;
}

/** The agent of a role with this transcript; `sent` is whether the journal knows of the message that was begun. */
function performer(path: string, { sent = false, mail = "[]" } = {}): Performed {
  const memory = openMemory(path);
  const calls: string[] = [];
  const texts = TEXTS.en.play;
  const perform = createPerformance({
    play: beginPlay("storm", texts, memory.play),
    texts,
    acts: [],
    workMs: 0,
    stage: {
      say() {},
      quote() {},
      note() {},
      setBusy() {},
      setQueue() {},
      setDraft() {},
      ask: async () => true,
      leave() {},
    },
    memory,
    wasSent: () => sent,
    async call(tool, input, _signal, got) {
      calls.push(tool === "send_message" ? `send ${String(input["subject"])}` : tool);
      const answer = { text: tool === "check_inbox" ? mail : "ok", failed: false };
      got?.(answer);
      return answer;
    },
    asking: async () => undefined,
    allowedForGood: new Set(),
    allowed: async () => {},
    record() {},
  });
  return { calls, perform };
}

const TRIGGER = { prompt: "[MESSAGE from ovld] You have mail, note abcde. Call check_inbox." };

it.each([
  ["was stored", true, ["update_status", "check_inbox"]],
  ["was not stored", false, ["send the report", "update_status", "check_inbox"]],
])(
  "a message of which nobody heard whether it was stored is sent again only if not: it %s",
  async (_what, sent, calls) => {
    await using sandbox = makeSandbox();
    const path = join(sandbox.root, "t.jsonl");
    const killed = openMemory(path);
    killed.note({
      of: "plan",
      memory: null,
      steps: [
        { do: "send", to: "strategist", subject: "the report", body: "done" },
        { do: "status", status: "done", task: "" },
      ],
      cues: [],
    });
    killed.note({ of: "begins", step: 0 });
    const back = performer(path, { sent });
    await back.perform(TRIGGER, new AbortController());
    expect(back.calls).toEqual(calls);
  },
);

it("mail that was taken and not acted on is acted on once, and mail that comes again is not acted on", async () => {
  await using sandbox = makeSandbox();
  const path = join(sandbox.root, "t.jsonl");
  openMemory(path).note({ of: "cues", ids: ["a"], cues: [task] });
  const { from, subject, body } = { from: "strategist", subject: "the wall", body: "build it" };
  const back = performer(path, {
    mail: JSON.stringify([{ id: "a", from, subject, body, redelivered: true }]),
  });
  await back.perform(TRIGGER, new AbortController());
  expect(back.calls.filter((call) => call.startsWith("send"))).toHaveLength(1);
});

it("what it was given is written down before anything else can happen, where a power cut finds it", async () => {
  await using sandbox = makeSandbox();
  const path = join(sandbox.root, "t.jsonl");
  const mail = JSON.stringify([{ id: "0mail", from: "strategist", subject: "the wall", body: "build it" }]);
  const { perform } = performer(path, { mail });
  await perform(TRIGGER, new AbortController());
  const lines = readFileSync(path, "utf8");
  expect(lines.indexOf('"of":"cues"')).toBeLessThan(lines.indexOf('"of":"begins"'));
  expect(openTranscript(path).mentions("0mail")).toBe(true);
  // The caller, which runs the turns, says when it is over.
  expect(openTranscript(path).cutOff()).toMatchObject({ in: "answer" });
});
