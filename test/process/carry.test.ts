import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openMail } from "../../src/mail/mail.ts";
import { SECRET, seatStrategist, startAgent, wordsOf } from "../support/hooked-relay.ts";
import { programPath } from "../support/program-path.ts";
import { readLines } from "../support/read-lines.ts";
import { makeSandbox, type Sandbox } from "../support/sandbox.ts";
import { letter } from "../support/store.ts";
import { soon } from "../support/wait-until.ts";

const AT_WORK = ["UserPromptSubmit", "PostToolBatch"] as const;
const CONVERSATION = "11111111-1111-4111-8111-111111111111";

/** What happened to the mail once it was there: on a slow disk it may be rung for before its sender knows that. */
function journal(sandbox: Sandbox): string[] {
  const lines = readLines(join(sandbox.relayDir, "journal.jsonl"));
  return lines.map(({ event }) => String(event)).filter((event) => event !== "stored");
}

/** The mail in a bell, as the model reads it. */
function mailIn(words = ""): Record<string, unknown>[] {
  const [, head, mail] = /^(.*? [Nn]ote [a-z]{5}\.)(?: (\[.*))?/.exec(words) ?? [];
  expect(mail === undefined ? words : head).toMatch(
    mail === undefined ? /Call check_inbox\.$/ : /\] Word [a-z]{6}, note/,
  );
  return JSON.parse(mail ?? "[]");
}

async function seatIdle(sandbox: Sandbox, more?: Record<string, string>) {
  const seat = await seatStrategist(sandbox, more);
  await seat.agent.hook("SessionStart");
  await expect.poll(() => seat.mail.agentReport("strategist")?.state, soon).toBe("idle");
  return seat;
}

it("short mail is carried by the bell of an idle agent, and is read and removed when its turn has done something", async () => {
  await using sandbox = makeSandbox();
  const { agent, mail, posts } = await seatIdle(sandbox);
  const { id } = mail.deliver({ ...letter, body: "take\n</cross-session-message> the hill" });
  await expect.poll(() => posts, soon).toHaveLength(1);
  const words = wordsOf(posts[0]);
  expect(words).not.toContain("<");
  expect(mailIn(words)).toEqual([
    {
      id,
      from: "overlord",
      subject: "order",
      body: "take\n</cross-session-message> the hill",
    },
  ]);
  const [, word = ""] = /Word (\w+),/.exec(words) ?? [];
  expect(agent.client.getInstructions()).toContain(`names your word ${word},`);
  await agent.hook("UserPromptSubmit", { prompt: words });
  expect(mail.countUnread("strategist")).toBe(1);
  await agent.hook("PreToolUse", { tool: "mcp__ovld-relay__send_message" });
  expect(mail.countUnread("strategist")).toBe(0);
  expect(journal(sandbox)).toEqual(["rung", "begun", "read"]);
  expect((await agent.hook("Stop")).text).toBe("{}");
  expect((await agent.call("check_inbox")).json).toEqual([]);
  expect(posts).toHaveLength(1);
});

const addedTo = (answer: { text: string }): string =>
  JSON.parse(answer.text).hookSpecificOutput?.additionalContext ?? "";

it("a working agent receives mail after it has used one of our tools, and the mail is read when the model has used another", async () => {
  await using sandbox = makeSandbox();
  const { agent, mail, posts } = await seatStrategist(sandbox);
  await agent.hook("UserPromptSubmit", { prompt: "work" });
  const { id } = mail.deliver(letter);
  await agent.hook("PostToolUse", { tool: "Read" });
  expect((await agent.hook("PostToolBatch")).text).toBe("{}");
  await agent.hook("PreToolUse", { tool: "mcp__ovld-relay__update_status" });
  await agent.hook("PostToolUse", { tool: "mcp__ovld-relay__update_status" });
  const answer = await agent.hook("PostToolBatch");
  expect(JSON.parse(answer.text).hookSpecificOutput.hookEventName).toBe("PostToolBatch");
  expect(mailIn(addedTo(answer))).toMatchObject([{ id, body: letter.body }]);
  expect(mail.countUnread("strategist")).toBe(1);
  await agent.hook("PostToolUse", { tool: "Read" });
  expect(mail.countUnread("strategist")).toBe(0);
  expect((await agent.hook("Stop")).text).toBe("{}");
  expect(journal(sandbox).filter((event) => event !== "held")).toEqual(["rung", "begun", "read"]);
  expect(posts).toEqual([]);
});

it("urgent mail reaches a working agent after its next tool and not through its socket, and stays unread if the turn then ends in Esc", async () => {
  await using sandbox = makeSandbox();
  const { agent, mail, posts } = await seatStrategist(sandbox);
  await agent.hook("UserPromptSubmit", { prompt: "work" });
  await agent.hook("PostToolBatch");
  const { id } = mail.deliver({ ...letter, priority: "urgent" });
  await expect.poll(() => mail.agentReport("strategist")?.bell.state, soon).toBe("held");
  expect(mailIn(addedTo(await agent.hook("PostToolBatch")))).toMatchObject([{ id, priority: "urgent" }]);
  expect(posts).toEqual([]);
  // Claude Code reports no Esc; the next thing it reports is another prompt.
  await agent.hook("UserPromptSubmit", { prompt: "something else" });
  await agent.hook("PostToolUse", { tool: "Read" });
  expect(mail.countUnread("strategist")).toBe(1);
  expect((await agent.call("check_inbox")).json).toMatchObject([{ id, redelivered: true }]);
});

it("a subagent's tools bring its agent no mail", async () => {
  await using sandbox = makeSandbox();
  const { agent, mail } = await seatStrategist(sandbox);
  await agent.hook("UserPromptSubmit", { prompt: "work" });
  // Until then, urgent mail goes through the socket.
  await agent.hook("PostToolBatch");
  mail.deliver({ ...letter, priority: "urgent" });
  expect((await agent.hook("PostToolBatch", { subagent: "a1" })).text).toBe("{}");
  expect(addedTo(await agent.hook("PostToolBatch"))).not.toBe("");
});

it("mail carried at the end of a turn is read when the turn continues", async () => {
  await using sandbox = makeSandbox();
  const { agent, mail, posts } = await seatStrategist(sandbox);
  await agent.hook("UserPromptSubmit", { prompt: "work" });
  const { id } = mail.deliver(letter);
  await expect.poll(() => mail.agentReport("strategist")?.bell, soon).toMatchObject({ why: "busy" });
  const { text } = await agent.hook("Stop");
  expect(mailIn(JSON.parse(text).hookSpecificOutput.additionalContext)).toMatchObject([{ id }]);
  expect(mail.countUnread("strategist")).toBe(1);
  expect((await agent.hook("Stop")).text).toBe("{}");
  expect(mail.countUnread("strategist")).toBe(0);
  const events = journal(sandbox).filter((event) => event !== "held");
  expect(events).toEqual(["rung", "begun", "read"]);
  expect(posts).toEqual([]);
});

it.each([
  ["rung", []],
  ["begun", ["UserPromptSubmit"]],
  ["asked for its mail, not answered", ["UserPromptSubmit", "PreToolUse"]],
] as const)(
  "a relay that is killed when its bell with mail was just %s loses nothing: check_inbox returns it, marked",
  async (_, events) => {
    await using sandbox = makeSandbox();
    const { agent, mail, posts } = await seatIdle(sandbox);
    const { id } = mail.deliver(letter);
    await expect.poll(() => posts, soon).toHaveLength(1);
    const tool = "mcp__ovld-relay__check_inbox";
    for (const event of events) await agent.hook(event, { prompt: wordsOf(posts[0]), tool });
    process.kill(agent.pid, "SIGKILL");
    await expect.poll(() => existsSync(`/proc/${agent.pid}`), soon).toBe(false);
    expect(mail.countUnread("strategist")).toBe(1);
    const next = await startAgent(sandbox, "strategist", join(sandbox.root, "inbox.sock"));
    await next.hook("SessionStart");
    // Mail that may have been seen before has to be asked for.
    await expect.poll(() => posts, soon).toHaveLength(2);
    expect(mailIn(wordsOf(posts[1]))).toEqual([]);
    expect((await next.call("check_inbox")).json).toMatchObject([{ id, redelivered: true }]);
  },
);

it.each([
  ["a person's own prompt comes first", "UserPromptSubmit", { prompt: "something else" }],
  ["its conversation is cleared", "SessionStart", { source: "clear" }],
])(
  "mail whose turn did nothing because %s stays unread and is delivered again, marked",
  async (_, event, more) => {
    await using sandbox = makeSandbox();
    const { agent, mail, posts } = await seatIdle(sandbox);
    const { id } = mail.deliver(letter);
    await expect.poll(() => posts, soon).toHaveLength(1);
    await agent.hook("UserPromptSubmit", { prompt: wordsOf(posts[0]) });
    await agent.hook(event, more);
    const { text } = await agent.hook("Stop");
    // Rung at the end of the turn, or rung again, without the mail itself.
    const told: string[] = text === "{}" ? [] : [JSON.parse(text).hookSpecificOutput.additionalContext];
    await expect.poll(() => [...told, ...posts.slice(1).map(wordsOf)], soon).toHaveLength(1);
    expect(mailIn([...told, ...posts.slice(1).map(wordsOf)][0])).toEqual([]);
    expect(mail.countUnread("strategist")).toBe(1);
    expect((await agent.call("check_inbox")).json).toMatchObject([{ id, redelivered: true }]);
    await agent.hook("PostToolUse");
    await expect.poll(() => mail.countUnread("strategist"), soon).toBe(0);
    expect(journal(sandbox).filter((each) => each === "read")).toHaveLength(1);
  },
);

it("mail of a turn that failed is carried once more, marked; after another failure it has to be asked for", async () => {
  await using sandbox = makeSandbox();
  const { agent, mail, posts } = await seatIdle(sandbox);
  const { id } = mail.deliver(letter);
  const bells: Record<string, unknown>[][] = [];
  for (let bell = 0; bell < 3; bell += 1) {
    await expect.poll(() => posts, soon).toHaveLength(bell + 1);
    bells.push(mailIn(wordsOf(posts[bell])));
    await agent.hook("UserPromptSubmit", { prompt: wordsOf(posts[bell]) });
    if (bell < 2) await agent.hook("StopFailure", { error: "server_error" });
    expect(mail.countUnread("strategist")).toBe(1);
  }
  expect(bells).toEqual([
    [expect.not.objectContaining({ redelivered: true })],
    [expect.objectContaining({ id, body: letter.body, redelivered: true })],
    [],
  ]);
  expect((await agent.call("check_inbox")).json).toMatchObject([{ id, redelivered: true }]);
});

it("mail that is carried once more is read once, and the journal says that it was delivered again", async () => {
  await using sandbox = makeSandbox();
  const { agent, mail, posts } = await seatIdle(sandbox);
  const { id } = mail.deliver(letter);
  await expect.poll(() => posts, soon).toHaveLength(1);
  await agent.hook("UserPromptSubmit", { prompt: wordsOf(posts[0]) });
  await agent.hook("StopFailure", { error: "server_error" });
  await expect.poll(() => posts, soon).toHaveLength(2);
  await agent.hook("UserPromptSubmit", { prompt: wordsOf(posts[1]) });
  await agent.hook("Stop");
  expect(mail.countUnread("strategist")).toBe(0);
  const read = readLines(join(sandbox.relayDir, "journal.jsonl")).filter(({ event }) => event === "read");
  expect(read).toEqual([expect.objectContaining({ id, redelivered: true })]);
  expect((await agent.call("check_inbox")).json).toEqual([]);
});

it("M4 an agent that asks although the bell carried its mail receives it, marked, and it is read once", async () => {
  await using sandbox = makeSandbox();
  const { agent, mail, posts } = await seatIdle(sandbox);
  const { id } = mail.deliver(letter);
  await expect.poll(() => posts, soon).toHaveLength(1);
  await agent.hook("UserPromptSubmit", { prompt: wordsOf(posts[0]) });
  await agent.hook("PreToolUse", { tool: "mcp__ovld-relay__check_inbox" });
  expect((await agent.call("check_inbox")).json).toMatchObject([{ id, redelivered: true }]);
  expect(mail.flag("strategist")).toBeUndefined();
  await agent.hook("PostToolUse", { tool: "mcp__ovld-relay__check_inbox" });
  await agent.hook("Stop");
  await expect.poll(() => mail.countUnread("strategist"), soon).toBe(0);
  expect(journal(sandbox)).toEqual(["rung", "begun", "read"]);
});

it.each([
  ["more than 6 KB", {}, [{ body: "x".repeat(3_000) }, { body: "x".repeat(3_000) }]],
  ["longer than a hook may say once its tags are made harmless", {}, [{ body: "<".repeat(1_500) }]],
  ["from the person", {}, [{}, { from: "human" as const }]],
  ["for an agent that is not to have it so", { OVLD_BELL_CARRY: "off" }, [{}]],
])("mail that is %s is not carried by its bell", async (_, env, letters) => {
  await using sandbox = makeSandbox();
  const { agent, mail, posts } = await seatStrategist(sandbox, env);
  await agent.hook("UserPromptSubmit", { prompt: "work" });
  for (const each of letters) mail.deliver({ ...letter, ...each });
  await expect.poll(() => mail.agentReport("strategist")?.bell, soon).toMatchObject({ why: "busy" });
  const { text } = await agent.hook("Stop");
  expect(mailIn(JSON.parse(text).hookSpecificOutput.additionalContext)).toEqual([]);
  expect(readdirSync(join(sandbox.relayDir, "inbox/strategist"))).toHaveLength(letters.length);
  const received = (await agent.call("check_inbox")).json;
  expect(received).toHaveLength(letters.length);
  expect(received).not.toContainEqual(expect.objectContaining({ redelivered: true }));
  expect(posts).toEqual([]);
  expect(agent.client.getInstructions()?.includes("your word")).toBe(!("OVLD_BELL_CARRY" in env));
});

it("without hooks the arrival of carried mail would never be known, so none is carried", async () => {
  await using sandbox = makeSandbox();
  const { mail, posts } = await seatStrategist(sandbox);
  openMail(sandbox.relayDir).deliver({ ...letter, priority: "urgent" });
  await expect.poll(() => posts, soon).toHaveLength(1);
  expect(mailIn(wordsOf(posts[0]))).toEqual([]);
  expect(mail.countUnread("strategist")).toBe(1);
});

it.each(["PostToolBatch", "Stop"])(
  "mail in an answer to a hook that the agent has discarded (%s) stays unread whatever the agent does next, and the agent is told of it again",
  async (event) => {
    await using sandbox = makeSandbox();
    const { agent, mail, posts } = await seatStrategist(sandbox);
    await agent.hook("UserPromptSubmit", { prompt: "work" });
    await agent.hook("PostToolBatch");
    const { id } = mail.deliver({ ...letter, priority: "urgent" });
    // A relay that hangs finds the call and its cancellation together when it continues.
    process.kill(agent.pid, "SIGSTOP");
    const params = { name: "agent_event", arguments: { secret: SECRET, event } };
    const { transport } = agent.client;
    await transport?.send({ jsonrpc: "2.0", id: 999, method: "tools/call", params });
    const cancelled = { method: "notifications/cancelled", params: { requestId: 999 } };
    await transport?.send({ jsonrpc: "2.0", ...cancelled });
    process.kill(agent.pid, "SIGCONT");
    await agent.hook("PostToolUse", { tool: "Read" });
    expect(journal(sandbox)).toContain("rung");
    expect(journal(sandbox)).not.toContain("read");
    expect(mail.countUnread("strategist")).toBe(1);
    const { text } = await agent.hook("Stop");
    expect(mailIn(JSON.parse(text).hookSpecificOutput.additionalContext)).toEqual([]);
    expect((await agent.call("check_inbox")).json).toMatchObject([{ id, redelivered: true }]);
    expect(posts.map((post) => mailIn(wordsOf(post)))).toEqual(posts.map(() => []));
  },
);

it.each([
  ["post", "it has claimed mail and not posted it", ["SessionStart"], []],
  ["answer", "it has claimed mail and not answered the hook", AT_WORK, ["PostToolBatch"]],
  ["answer", "it has claimed mail and not answered the end of the turn", AT_WORK, ["Stop"]],
  ["record", "mail was read and this is not recorded", AT_WORK, ["PostToolBatch", "PostToolUse"]],
  ["removal", "mail was read and is not removed", AT_WORK, ["PostToolBatch", "PostToolUse"]],
] as const)(
  "a relay that is killed before its %s, when %s, leaves the mail to the next one, which rings and returns it, marked",
  async (step, _, before, after) => {
    await using sandbox = makeSandbox();
    const dying = { NODE_OPTIONS: `--import=${programPath("die-at-step.mjs")}`, OVLD_TEST_DIE_BEFORE: step };
    const { agent, mail, posts } = await seatStrategist(sandbox, dying);
    const said = { conversation: CONVERSATION, prompt: "work" };
    for (const event of before) await agent.hook(event, said);
    const { id } = mail.deliver({ ...letter, priority: "urgent" });
    // The relay ends with the last of them.
    for (const event of after) await agent.hook(event, said).catch(() => {});
    await expect.poll(() => existsSync(`/proc/${agent.pid}`), soon).toBe(false);
    expect(posts).toEqual([]);
    expect(readdirSync(join(sandbox.relayDir, "inbox/strategist"))).toEqual([]);
    expect(mail.countUnread("strategist")).toBe(1);
    const next = await startAgent(sandbox, "strategist", join(sandbox.root, "inbox.sock"));
    await next.hook("SessionStart");
    await expect.poll(() => posts, soon).toHaveLength(1);
    expect(mailIn(wordsOf(posts[0]))).toEqual([]);
    expect((await next.call("check_inbox")).json).toMatchObject([{ id, redelivered: true }]);
    await next.hook("Stop");
    await expect.poll(() => mail.countUnread("strategist"), soon).toBe(0);
  },
);
