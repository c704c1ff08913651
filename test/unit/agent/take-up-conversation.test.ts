import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { claude } from "../../../src/agent/claude/claude.ts";
import { takeUpConversation, type Start } from "../../../src/agent/take-up-conversation.ts";
import type { Conversation } from "../../../src/mail/records/conversation.ts";
import { OvldError } from "../../../src/system/ovld-error.ts";
import { identifyOurselves } from "../../../src/system/process.ts";
import { startStandIn } from "../../support/stand-in.ts";
import { makeStore, type StoreFixture } from "../../support/store.ts";

const OLD = "11111111-1111-4111-8111-111111111111";
const NEW = "22222222-2222-4222-8222-222222222222";
const at = "2026-11-15T03:48:12.303Z";
const known: Conversation = {
  role: "storm",
  program: "claude",
  id: OLD,
  since: at,
  agent: "999999999-1.dead",
  started: at,
  start: "began",
  ritual: at,
};
const PROMPT = { type: "user", timestamp: at, message: { content: "hi" } };
const ANSWER = { type: "assistant", timestamp: at, message: { content: [], stop_reason: "end_turn" } };

function start(store: StoreFixture, more: Partial<Start> = {}): Start {
  return {
    role: "storm",
    relayDir: store.dir,
    mail: store.mail,
    env: { HOME: store.sandbox.home },
    program: "claude",
    conversations: claude.conversations,
    agent: identifyOurselves(),
    ritual: "# Storm",
    stop: AbortSignal.timeout(20_000),
    patienceMs: 0,
    makeId: () => NEW,
    ...more,
  };
}

function writeTranscript(store: StoreFixture, lines: object[], folder = "-home-me-castle"): string {
  const dir = join(store.sandbox.home, ".claude/projects", folder);
  mkdirSync(dir, { recursive: true });
  const path = join(dir, `${OLD}.jsonl`);
  writeFileSync(path, lines.map((each) => `${JSON.stringify(each)}\n`).join(""));
  return path;
}

it("a role that was never in a conversation begins one, under an id that is recorded before it starts", async () => {
  await using store = makeStore();
  const taken = await takeUpConversation(start(store));
  expect(taken).toMatchObject({ conversation: { id: NEW, start: "began", agent: identifyOurselves() } });
  expect(store.open().conversation("storm")).toMatchObject({ id: NEW, start: "began" });
  expect(store.open().conversation("storm")).not.toHaveProperty("beganBecause");
  expect(store.journal()).toEqual([]);
});

it("a conversation with a transcript is resumed: its id, its age and its ritual stay", async () => {
  await using store = makeStore();
  store.mail.recordConversation(known);
  const transcript = writeTranscript(store, [PROMPT, ANSWER]);
  const taken = await takeUpConversation(start(store));
  expect(taken).toMatchObject({
    conversation: {
      id: OLD,
      start: "resumed",
      since: at,
      ritual: at,
      transcript,
      agent: identifyOurselves(),
    },
  });
  expect(store.open().conversation("storm")).not.toHaveProperty("cutOff");
  expect(store.journal()).toMatchObject([{ event: "conversation", role: "storm", outcome: "resumed" }]);
});

it("a transcript in another folder's project dir counts, and an empty one next to it does not", async () => {
  await using store = makeStore();
  store.mail.recordConversation(known);
  writeTranscript(store, [], "-a");
  const path = writeTranscript(store, [PROMPT], "-b");
  expect(await takeUpConversation(start(store))).toMatchObject({
    conversation: { start: "resumed", transcript: path },
  });
});

it("a transcript that a wrapper around Claude Code keeps elsewhere is resumed, but not one in a folder that is no longer Claude Code's own", async () => {
  await using store = makeStore();
  const transcript = store.sandbox.root + "/elsewhere.jsonl";
  writeFileSync(transcript, `${JSON.stringify(PROMPT)}\n`);
  store.mail.recordConversation({ ...known, transcript });
  expect(await takeUpConversation(start(store))).toMatchObject({ conversation: { id: OLD, transcript } });
  const env = { HOME: store.sandbox.home, CLAUDE_CONFIG_DIR: `${store.sandbox.home}/other` };
  expect(await takeUpConversation(start(store, { env }))).toMatchObject({
    conversation: { id: NEW, beganBecause: "no-transcript" },
  });
});

it.each<[string, (store: StoreFixture) => void, string | undefined]>([
  ["no transcript is there", () => {}, "no-transcript"],
  ["its transcript is empty", (store) => void writeTranscript(store, []), "empty-transcript"],
  [
    "its transcript has no prompt",
    (store) => void writeTranscript(store, [{ type: "mode" }]),
    "empty-transcript",
  ],
  [
    "another program kept it",
    (store) => store.mail.recordConversation({ ...known, program: "practice" }),
    "other-program",
  ],
  [
    "the note of it is damaged",
    (store) => writeFileSync(store.path("conversations/storm.json"), '{"role":"st'),
    "unreadable-note",
  ],
  [
    "nobody ever said anything in it",
    (store) => store.mail.recordConversation({ ...known, ritual: undefined }),
    undefined,
  ],
])(
  "if %s, a new conversation begins under a new id, without its ritual, and a loss is told",
  async (_what, spoil, why) => {
    await using store = makeStore();
    store.mail.recordConversation(known);
    spoil(store);
    const taken = await takeUpConversation(start(store));
    expect(taken).toMatchObject({ conversation: { id: NEW, start: "began" } });
    const kept = store.open().conversation("storm");
    expect(kept).not.toHaveProperty("ritual");
    expect(typeof kept === "object" ? kept.beganBecause : kept).toBe(why);
    const told = store.journal().map(({ event, outcome, why: reason }) => ({ event, outcome, why: reason }));
    expect(told).toEqual(why === undefined ? [] : [{ event: "conversation", outcome: "began", why }]);
  },
);

const LATER = "2026-11-15T03:48:12.403Z";

it.each<[string, string, object[], string | undefined]>([
  [
    "was lost in the crash: it was noted after the last line, and is not in the transcript",
    LATER,
    [PROMPT],
    undefined,
  ],
  ["is in the transcript", LATER, [PROMPT, { ...PROMPT, message: { content: "# Storm" } }], LATER],
  ["is older than the last line, and long out of sight", at, [{ ...PROMPT, timestamp: LATER }, ANSWER], at],
])("a ritual that %s is given again only if it was lost", async (_what, ritual, lines, expected) => {
  await using store = makeStore();
  store.mail.recordConversation({ ...known, ritual });
  writeTranscript(store, lines);
  const taken = await takeUpConversation(start(store));
  expect(taken).toMatchObject({ conversation: { id: OLD, start: "resumed" } });
  const kept = store.open().conversation("storm");
  expect(typeof kept === "object" ? kept.ritual : kept).toBe(expected);
});

it("on a full disk a conversation is resumed although that cannot be recorded, and a living process is still respected", async () => {
  await using store = makeStore();
  const full = new OvldError({ code: "disk-full", facts: { path: store.dir } });
  const mail = { ...store.mail, whileHolding: () => Promise.reject(full) };
  await expect(takeUpConversation(start(store, { mail }))).rejects.toBe(full);
  store.mail.recordConversation(known);
  writeTranscript(store, [PROMPT, ANSWER]);
  expect(await takeUpConversation(start(store, { mail }))).toMatchObject({
    conversation: { id: OLD, start: "resumed" },
  });
  const agent = startStandIn(store.sandbox, ["claude", "--mcp-config", store.path("mcp/storm.json")]);
  store.mail.recordConversation({ ...known, agent });
  expect(await takeUpConversation(start(store, { mail }))).toEqual({ inUseBy: agent });
});

it("a ritual that was given and not recorded is found in the transcript, so that it is not given twice", async () => {
  await using store = makeStore();
  store.mail.recordConversation({ ...known, ritual: undefined });
  writeTranscript(store, [{ ...PROMPT, message: { content: "# Storm" } }, ANSWER]);
  await takeUpConversation(start(store));
  expect(store.open().conversation("storm")).toHaveProperty("ritual");
});

it("a conversation that was cut off is recorded as such until its agent has been told", async () => {
  await using store = makeStore();
  store.mail.recordConversation(known);
  writeTranscript(store, [PROMPT]);
  await takeUpConversation(start(store));
  expect(store.open().conversation("storm")).toMatchObject({ cutOff: { at, in: "answer" } });
  // Claude Code may close the turn when it resumes.
  writeTranscript(store, [PROMPT, ANSWER]);
  await takeUpConversation(start(store));
  expect(store.open().conversation("storm")).toMatchObject({ cutOff: { at, in: "answer" } });
});

it.each([
  ["", at],
  [
    " in a conversation that began before the clock was set back",
    new Date(Date.now() + 3_600_000).toISOString(),
  ],
])("mail that was read%s and is not in the transcript is found", async (_when, since) => {
  await using store = makeStore();
  store.mail.recordConversation({ ...known, since });
  const [seen, lost] = ["a", "b"].map((subject) => store.send({ to: "storm", subject }));
  const claim = store.mail.claim("storm");
  claim.handOver();
  claim.settle();
  writeTranscript(store, [PROMPT, { ...PROMPT, message: { content: seen } }, ANSWER]);
  await takeUpConversation(start(store));
  expect(store.open().conversation("storm")).toMatchObject({
    cutOff: { in: "mail", read: [seen, lost], unseen: [lost] },
  });
});

it("mail that was handed out and not settled comes back by itself, and is not told of besides", async () => {
  await using store = makeStore();
  store.mail.recordConversation(known);
  const id = store.send({ to: "storm" });
  store.mail.claim("storm").handOver();
  writeTranscript(store, [PROMPT]);
  await takeUpConversation(start(store));
  expect(store.open().conversation("storm")).toMatchObject({ cutOff: { read: [id], unseen: [] } });
});

it("an agent that was given mail in a turn which its program had not kept yet counts as cut off in that turn", async () => {
  await using store = makeStore();
  store.mail.recordConversation(known);
  const id = store.send({ to: "storm" });
  store.mail.claim("storm").handOver();
  const given = store.journal().at(-1)?.at;
  writeTranscript(store, [PROMPT, ANSWER]);
  await takeUpConversation(start(store));
  expect(store.open().conversation("storm")).toMatchObject({
    cutOff: { at: given, in: "lost-turn", read: [id], unseen: [] },
  });
});

it("an agent that was given mail in a turn which the person interrupted was not cut off", async () => {
  await using store = makeStore();
  store.mail.recordConversation(known);
  store.send({ to: "storm" });
  store.mail.claim("storm").handOver();
  const interrupted = {
    type: "user",
    timestamp: new Date(Date.now() + 1_000).toISOString(),
    message: { content: [{ type: "text", text: "[Request interrupted by user]" }] },
  };
  writeTranscript(store, [PROMPT, ANSWER, PROMPT, interrupted]);
  await takeUpConversation(start(store));
  expect(store.open().conversation("storm")).not.toHaveProperty("cutOff");
});

it("what it had read before its last report is not told again", async () => {
  await using store = makeStore();
  store.mail.recordConversation(known);
  const ids = ["a", "b"].map((subject) => {
    const id = store.send({ to: "storm", subject });
    const claim = store.mail.claim("storm");
    claim.handOver();
    claim.settle();
    if (subject === "a") store.mail.setStatus("storm", "working", "a");
    return id;
  });
  writeTranscript(store, [PROMPT, { ...PROMPT, message: { content: ids.join(" ") } }]);
  await takeUpConversation(start(store));
  expect(store.open().conversation("storm")).toMatchObject({
    cutOff: { in: "answer", read: [ids[1]], unseen: [] },
  });
});

it("an agent whose status said that it was working counts as cut off, although its turn was over", async () => {
  await using store = makeStore();
  store.mail.recordConversation(known);
  store.mail.setStatus("storm", "working", "the wall");
  writeTranscript(store, [PROMPT, ANSWER]);
  await takeUpConversation(start(store));
  expect(store.open().conversation("storm")).toMatchObject({ cutOff: { at, in: "status" } });
});

it("mail of a failed turn is part of how the agent was cut off, and stays so until it has been told", async () => {
  await using store = makeStore();
  const unfinished = [{ id: "0mwhgow9k000-ij3jyo", from: "strategist" }] as const;
  store.mail.recordConversation({ ...known, unfinished: [...unfinished] });
  writeTranscript(store, [PROMPT, ANSWER]);
  await takeUpConversation(start(store));
  const read = [unfinished[0].id];
  expect(store.open().conversation("storm")).toMatchObject({ cutOff: { at, in: "error", read } });
  expect(store.open().conversation("storm")).not.toHaveProperty("unfinished");
  // Killed before its relay could tell it, and with another reason to be told.
  store.mail.setStatus("storm", "working", "the wall");
  await takeUpConversation(start(store));
  expect(store.open().conversation("storm")).toMatchObject({ cutOff: { in: "status", read } });
});

it("a conversation with a living process, by Claude Code's registry, is not started again", async () => {
  await using store = makeStore();
  store.mail.recordConversation(known);
  writeTranscript(store, [PROMPT]);
  const other = startStandIn(store.sandbox);
  const pid = Number.parseInt(other, 10);
  const sessions = join(store.sandbox.home, ".claude/sessions");
  mkdirSync(sessions, { recursive: true });
  const [, procStart] = /-(\d+)\./.exec(other) ?? [];
  const register = (began: string | undefined): void =>
    writeFileSync(join(sessions, `${pid}.json`), JSON.stringify({ pid, sessionId: OLD, procStart: began }));
  register(procStart);
  expect(await takeUpConversation(start(store))).toEqual({ inUseBy: other });
  expect(store.open().conversation("storm")).toEqual(known);
  expect(store.journal()).toMatchObject([{ event: "conversation", outcome: "in-use" }]);
  // The file of a killed Claude Code whose pid now belongs to another program does not count.
  register("1");
  expect(await takeUpConversation(start(store))).toMatchObject({ conversation: { start: "resumed" } });
});

it("a role whose agent is alive is not started a second time, whatever conversation that agent is in", async () => {
  await using store = makeStore();
  const agent = startStandIn(store.sandbox, ["claude", "--mcp-config", store.path("mcp/storm.json")]);
  store.mail.recordConversation({ ...known, agent });
  writeTranscript(store, [PROMPT]);
  expect(await takeUpConversation(start(store))).toEqual({ inUseBy: agent });
  const waiting = takeUpConversation(start(store, { patienceMs: 20_000 }));
  process.kill(Number.parseInt(agent, 10), "SIGKILL");
  expect(await waiting).toMatchObject({ conversation: { id: OLD, start: "resumed" } });
});

it("of two starts at the same moment only one gets the conversation", async () => {
  await using store = makeStore();
  store.mail.recordConversation(known);
  writeTranscript(store, [PROMPT]);
  const config = ["claude", "--mcp-config", store.path("mcp/storm.json")];
  const agents = [1, 2].map(() => startStandIn(store.sandbox, config));
  const taken = await Promise.all(agents.map((agent) => takeUpConversation(start(store, { agent }))));
  expect(taken.filter((each) => "conversation" in each)).toHaveLength(1);
  expect(taken.filter((each) => "inUseBy" in each)).toHaveLength(1);
});
