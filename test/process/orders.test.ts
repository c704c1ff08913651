import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Role } from "../../src/army/roles.ts";
import { openMail, type Mail } from "../../src/mail/mail.ts";
import type { MessageDraft } from "../../src/mail/store/message.ts";
import { openSocket, startAgent } from "../support/hooked-relay.ts";
import { readLines } from "../support/read-lines.ts";
import { makeSandbox, type Sandbox } from "../support/sandbox.ts";
import { order } from "../support/store.ts";
import { soon } from "../support/wait-until.ts";

const BELL = "[MESSAGE from overlord] You have mail, note bcdfg. Call check_inbox.";
const REMINDER = "[REMINDER from ovld]";

type Agent = Awaited<ReturnType<typeof startAgent>>;

async function seat(sandbox: Sandbox, role: Role = "strategist", more: Record<string, string> = {}) {
  const known = join(sandbox.root, "inbox.sock");
  const path = existsSync(known) ? known : (await openSocket(sandbox)).path;
  const agent = await startAgent(sandbox, role, path, { OVLD_BELL_CARRY: "off", ...more });
  return { agent, mail: openMail(sandbox.relayDir) };
}

/** A turn begins with the bell, and the agent reads this mail in it. */
async function read(agent: Agent, mail: Mail, ...drafts: Partial<MessageDraft>[]): Promise<string[]> {
  await agent.hook("UserPromptSubmit", { prompt: BELL });
  const ids = drafts.map((draft) => mail.deliver({ ...order, ...draft }).id);
  await agent.call("check_inbox");
  await agent.hook("PostToolBatch");
  const role = drafts[0]?.to ?? order.to;
  await expect.poll(() => mail.countUnread(role), soon).toBe(0);
  return ids;
}

/** What the hook of the turn's end adds to the turn, if anything. */
async function endTurn(agent: Agent, more: Record<string, string> = {}): Promise<string> {
  const { text } = await agent.hook("Stop", {
    background: "[]",
    clock: "[]",
    words: "All is well.",
    ...more,
  });
  return JSON.parse(text).hookSpecificOutput?.additionalContext ?? "";
}

function told(sandbox: Sandbox): Record<string, unknown>[] {
  const lines = readLines(join(sandbox.relayDir, "journal.jsonl"));
  return lines.filter(({ event, from, to }) => event === "stored" && from === "ovld" && to !== "strategist");
}

async function kill({ pid }: Agent): Promise<void> {
  process.kill(pid, "SIGKILL");
  await expect.poll(() => existsSync(`/proc/${pid}`), soon).toBe(false);
}

it("an agent that ends its turn without a word about an order is reminded once, and then whoever gave it is told, once, with its last words", async () => {
  await using sandbox = makeSandbox();
  const { agent, mail } = await seat(sandbox);
  const [id = ""] = await read(agent, mail, { subject: "take the hill/now!" });
  const reminder = await endTurn(agent);
  expect(reminder).toContain(REMINDER);
  expect(reminder).toContain(`mail from overlord about take-the-hill-now (${id})`);
  expect(mail.agentReport("strategist")?.state).not.toBe("idle");
  expect(told(sandbox)).toEqual([]);
  for (let end = 1; end <= 3; end += 1) expect(await endTurn(agent)).toBe("");
  expect(told(sandbox)).toMatchObject([
    { to: "overlord", subject: "strategist has stopped without a report: take the hill/now!" },
  ]);
  expect(told(sandbox)[0]?.["body"]).toContain('Its last words: "All is well."');
  expect(mail.orders("strategist")).toMatchObject([{ id, reminded: true, told: ["stalled"] }]);
  const lines = readLines(join(sandbox.relayDir, "journal.jsonl"));
  expect(lines.filter(({ event }) => event === "reminded")).toMatchObject([
    { role: "strategist", ids: [id] },
  ]);
});

it("the person is told of an order of theirs by mail in their language", async () => {
  await using sandbox = makeSandbox();
  const { agent, mail } = await seat(sandbox, "strategist", { OVLD_LANG: "ja" });
  await read(agent, mail, { from: "human" });
  expect(await endTurn(agent)).toContain("mail from human");
  await endTurn(agent);
  expect(mail.unread("human", { handedOut: false })).toHaveLength(1);
  expect(told(sandbox)).toMatchObject([{ to: "human", subject: expect.stringContaining("報告せずに") }]);
});

const WORDS: [string, (agent: Agent) => Promise<unknown>][] = [
  ["reports", (agent) => agent.call("send_message", { to: "overlord", subject: "r", body: "done" })],
  [
    "asks and waits",
    (agent) =>
      agent.call("send_message", { to: "overlord", subject: "?", body: "which hill?", status: "blocked" }),
  ],
  ["passes it on", (agent) => agent.call("send_message", { to: "inferno", subject: "o", body: "take it" })],
];

it.each(WORDS)("an agent that %s is not reminded, and nobody is told", async (_, say) => {
  await using sandbox = makeSandbox();
  const { agent, mail } = await seat(sandbox);
  await read(agent, mail, {});
  await say(agent);
  expect(await endTurn(agent)).toBe("");
  expect(told(sandbox)).toEqual([]);
});

it("an agent that sets its status to done without a report is not reminded, and whoever gave the order is told", async () => {
  await using sandbox = makeSandbox();
  const { agent, mail } = await seat(sandbox);
  await read(agent, mail, {});
  await agent.call("update_status", { status: "done" });
  for (let end = 1; end <= 2; end += 1) expect(await endTurn(agent)).toBe("");
  expect(told(sandbox)).toMatchObject([{ to: "overlord", subject: expect.stringContaining("no report") }]);
  expect(mail.orders("strategist")).toEqual([]);
});

it("one who passed an order on is reminded of it only when nobody works on it any more", async () => {
  await using sandbox = makeSandbox();
  const { agent, mail } = await seat(sandbox);
  await read(agent, mail, {});
  const give = (to: Role) => agent.call("send_message", { to, subject: "part", body: "do it" });
  await give("inferno");
  await give("storm");
  expect(await endTurn(agent)).toBe("");
  const inferno = await seat(sandbox, "inferno");
  const storm = await seat(sandbox, "storm");
  for (const { agent: general } of [inferno, storm]) {
    await general.hook("UserPromptSubmit", { prompt: BELL });
    await general.call("check_inbox");
    await general.hook("PostToolBatch");
  }
  const report = async (general: Agent) => {
    await general.call("send_message", { to: "strategist", subject: "r", body: "done", status: "done" });
    expect(await endTurn(general)).toBe("");
    await agent.hook("UserPromptSubmit", { prompt: BELL });
    await agent.call("check_inbox");
    await agent.hook("PostToolBatch");
    await expect.poll(() => mail.countUnread("strategist"), soon).toBe(0);
  };
  await report(inferno.agent);
  expect(await endTurn(agent)).toBe("");
  await report(storm.agent);
  expect(await endTurn(agent)).toContain("mail from overlord about order");
});

it("a role that waits for another with a question that was read has an answer coming: the other is reminded", async () => {
  await using sandbox = makeSandbox();
  const { agent, mail } = await seat(sandbox);
  const inferno = await seat(sandbox, "inferno");
  await inferno.agent.call("send_message", { to: "strategist", subject: "?", body: "?", status: "blocked" });
  await read(agent, mail, { from: "storm", subject: "a report" });
  const reminder = await endTurn(agent);
  expect(reminder).toContain("a question of inferno");
  expect(reminder).not.toContain("storm");
  await agent.call("send_message", { to: "inferno", subject: "a", body: "left" });
  expect(await endTurn(agent)).toBe("");
  expect(told(sandbox)).toEqual([]);
});

const NO_REMINDER: [string, Partial<MessageDraft>, Record<string, string>][] = [
  ["has read a broadcast", { toAll: true }, {}],
  ["has read a report", { from: "shadow" }, {}],
  ["has read news from ovld", { from: "ovld" }, {}],
  ["has left a command in the background", {}, { background: '[{"type":"shell","status":"running"}]' }],
  ["has set itself an alarm", {}, { clock: '[{"id":"1"}]' }],
];

it.each(NO_REMINDER)("an agent that %s is not reminded", async (_, draft, end) => {
  await using sandbox = makeSandbox();
  const { agent, mail } = await seat(sandbox);
  await read(agent, mail, draft);
  expect(await endTurn(agent, end)).toBe("");
  expect(await endTurn(agent, end)).toBe("");
  expect(told(sandbox)).toEqual([]);
});

it("an agent is reminded once a command that it left in the background is done", async () => {
  await using sandbox = makeSandbox();
  const { agent, mail } = await seat(sandbox);
  await read(agent, mail, {});
  expect(await endTurn(agent, { background: '[{"type":"shell","status":"running"}]' })).toBe("");
  await agent.hook("UserPromptSubmit", { prompt: "<task-notification>done</task-notification>" });
  expect(await endTurn(agent, { background: '[{"type":"shell","status":"completed"}]' })).toContain(REMINDER);
});

it("a turn that the person typed to an agent is theirs: it is not continued", async () => {
  await using sandbox = makeSandbox();
  const { agent, mail } = await seat(sandbox);
  await read(agent, mail, {});
  await agent.hook("UserPromptSubmit", { prompt: "Wait. What are you doing?" });
  expect(await endTurn(agent)).toBe("");
  await agent.hook("UserPromptSubmit", { prompt: BELL });
  expect(await endTurn(agent)).toContain(REMINDER);
});

it("an idle agent without an order is never reminded", async () => {
  await using sandbox = makeSandbox();
  const { agent } = await seat(sandbox);
  for (const prompt of ["You are the strategist.", BELL, "Hello."]) {
    await agent.hook("UserPromptSubmit", { prompt });
    expect(await endTurn(agent)).toBe("");
  }
});

it("new mail at the end of a turn comes before a reminder, which comes when that is read too", async () => {
  await using sandbox = makeSandbox();
  const { agent, mail } = await seat(sandbox);
  const [first = ""] = await read(agent, mail, {});
  const { id } = mail.deliver({ ...order, subject: "more" });
  expect(await endTurn(agent)).toContain("Call check_inbox");
  await agent.call("check_inbox");
  await agent.hook("PostToolBatch");
  await expect.poll(() => mail.countUnread("strategist"), soon).toBe(0);
  const reminder = await endTurn(agent);
  expect(reminder).toContain(first);
  expect(reminder).toContain(id);
});

it("carried mail is an order as well, and what the model does first is its answer", async () => {
  await using sandbox = makeSandbox();
  const { agent, mail } = await seat(sandbox, "strategist", { OVLD_BELL_CARRY: "on" });
  const carry = async (subject: string) => {
    await agent.hook("UserPromptSubmit", { prompt: BELL });
    mail.deliver({ ...order, subject });
    expect(await endTurn(agent)).toContain("Word");
  };
  await carry("first");
  await agent.hook("PreToolUse", { tool: "mcp__ovld-relay__send_message" });
  await agent.call("send_message", { to: "overlord", subject: "r", body: "done" });
  await agent.hook("PostToolBatch");
  expect(await endTurn(agent)).toBe("");
  await carry("second");
  expect(await endTurn(agent)).toContain("about second");
});

it("mail that comes again after Esc is answered by what its agent said in between", async () => {
  await using sandbox = makeSandbox();
  const { agent, mail } = await seat(sandbox, "strategist", { OVLD_BELL_CARRY: "on" });
  await agent.hook("UserPromptSubmit", { prompt: BELL });
  await agent.hook("PostToolBatch");
  mail.deliver({ ...order, priority: "urgent" });
  expect((await agent.hook("PostToolBatch")).text).toContain("Word");
  await agent.hook("StopFailure", { error: "interrupted" });
  await agent.hook("UserPromptSubmit", { prompt: "Please go on." });
  await agent.call("send_message", { to: "overlord", subject: "r", body: "done" });
  await agent.hook("PostToolBatch");
  expect(await endTurn(agent)).toContain("Call check_inbox");
  await agent.call("check_inbox");
  await agent.hook("PostToolBatch");
  await expect.poll(() => mail.countUnread("strategist"), soon).toBe(0);
  expect(await endTurn(agent)).toBe("");
  expect(told(sandbox)).toEqual([]);
});

it("what an agent sends at the same time as it asks for its mail does not answer that mail", async () => {
  await using sandbox = makeSandbox();
  const { agent, mail } = await seat(sandbox);
  await agent.hook("UserPromptSubmit", { prompt: BELL });
  await agent.hook("PostToolBatch");
  mail.deliver(order);
  await agent.call("check_inbox");
  await agent.call("send_message", { to: "overlord", subject: "r", body: "of something else" });
  await agent.hook("PostToolBatch");
  await expect.poll(() => mail.countUnread("strategist"), soon).toBe(0);
  expect(await endTurn(agent)).toContain("about order");
});

it("a relay that is killed after it reminded its agent leaves that on record: the next does not, and tells", async () => {
  await using sandbox = makeSandbox();
  const { agent, mail } = await seat(sandbox);
  await read(agent, mail, {});
  expect(await endTurn(agent)).toContain(REMINDER);
  await kill(agent);
  const next = await seat(sandbox);
  await next.agent.hook("SessionStart", { source: "clear" });
  await next.agent.hook("UserPromptSubmit", { prompt: BELL });
  expect(await endTurn(next.agent)).toBe("");
  expect(told(sandbox)).toHaveLength(1);
});
