import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openTranscript } from "../../../../src/agent/claude/transcript.ts";
import { NO_WORK, openMemory } from "../../../../src/agent/practice/memory.ts";
import { perform, type Agent, type Turn } from "../../../../src/agent/practice/turns.ts";
import { NEW_PLAY, react, type Cue } from "../../../../src/agent/practice/play.ts";
import { makeSandbox } from "../../../support/sandbox.ts";
import { TEXTS } from "../../../support/texts.ts";

const task: Cue = { cue: "mail", from: "strategist", subject: "the wall", body: "build it" };
const AT = new Date(0).toISOString();

it("what a killed agent had taken, planned, begun and done is known to the process that resumes", async () => {
  await using sandbox = makeSandbox();
  const path = join(sandbox.root, "t.jsonl");
  const { steps } = react("storm", NEW_PLAY, task, TEXTS.en.play);
  const play = { open: ["a wish"], reports: {} };
  const first = openMemory(path);
  expect(first.work).toEqual({ ...NO_WORK, received: [], play: NEW_PLAY });
  first.change({ cues: [task, task], received: ["a", "b"] });
  first.change({ play, steps, cues: [task] });
  first.change({ steps, begunAt: AT });
  first.change({ steps: steps.slice(1), begunAt: AT });
  // A line that was cut off in the middle of being written is skipped.
  appendFileSync(path, '{"type":"practice","work":{"received":[],"steps":[],"cu');
  const second = openMemory(path);
  expect(second.work).toEqual({
    received: ["a", "b"],
    play,
    steps: steps.slice(1),
    begunAt: AT,
    cues: [task],
  });
  expect(second.work).toEqual(first.work);
  // Nor does it spoil the line that follows.
  second.change({ steps: steps.slice(2) });
  expect(openMemory(path).work.steps).toEqual(steps.slice(2));
});

it("a turn that is over leaves nothing open, and a process that ends leaves all of it open", async () => {
  await using sandbox = makeSandbox();
  const path = join(sandbox.root, "t.jsonl");
  const memory = openMemory(path);
  memory.change({ cues: [task], received: ["a"] });
  memory.close();
  memory.change(NO_WORK);
  expect(openMemory(path).work.cues).toEqual([task]);
  const next = openMemory(path);
  next.change(NO_WORK);
  expect(openMemory(path).work).toEqual({ ...NO_WORK, received: ["a"], play: NEW_PLAY });
});

interface Performed {
  calls: string[];
  perform: (turn: Turn, turnOver: AbortController) => Promise<void>;
}

/** The agent of a role with this transcript; `sent` is whether the journal knows of the message that was begun. */
function performer(path: string, { sent = false, mail = "[]" } = {}): Performed {
  const calls: string[] = [];
  const agent: Agent = {
    role: "storm",
    texts: TEXTS.en.play,
    workMs: 0,
    stage: { say() {}, quote() {}, note() {}, show() {} },
    memory: openMemory(path),
    wasSent: () => sent,
    line: {
      async call(tool, input) {
        calls.push(tool === "send_message" ? `send ${String(input["subject"])}` : tool);
        return { text: tool === "check_inbox" ? mail : "ok", failed: false };
      },
      fire: async () => ({}),
    },
    record() {},
  };
  return { calls, perform: (turn, turnOver) => perform(agent, turn, turnOver) };
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
    killed.change({
      steps: [
        { do: "send", to: "strategist", subject: "the report", body: "done" },
        { do: "status", status: "done", task: "" },
      ],
      begunAt: AT,
    });
    const back = performer(path, { sent });
    await back.perform(TRIGGER, new AbortController());
    expect(back.calls).toEqual(calls);
  },
);

it("mail that was taken and not acted on is acted on once, and mail that comes again is not acted on", async () => {
  await using sandbox = makeSandbox();
  const path = join(sandbox.root, "t.jsonl");
  openMemory(path).change({ cues: [task], received: ["a"] });
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
  await performer(path, { mail }).perform(TRIGGER, new AbortController());
  const lines = readFileSync(path, "utf8");
  expect(lines.indexOf('"received":["0mail"]')).toBeLessThan(lines.indexOf('"begunAt"'));
  expect(openTranscript(path).mentions("0mail")).toBe(true);
  // The caller, which runs the turns, says when it is over.
  expect(openTranscript(path).cutOff()).toMatchObject({ in: "answer" });
});
