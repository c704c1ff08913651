import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { register, seatStrategist, startAgent, wordsOf } from "../support/hooked-relay.ts";
import { runOvld } from "../support/ovld.ts";
import { makeSandbox, type Sandbox } from "../support/sandbox.ts";
import { letter } from "../support/store.ts";
import { soon } from "../support/wait-until.ts";

const CONVERSATION = "11111111-1111-4111-8111-111111111111";

function record(sandbox: Sandbox): Record<string, unknown> {
  return JSON.parse(readFileSync(join(sandbox.relayDir, "conversations/strategist.json"), "utf8"));
}

const FAILURES = ["right after its relay was killed", "right before its relay was killed"] as const;

/** An agent whose turn has failed after it had read a message. */
async function leaveUnfinished(sandbox: Sandbox, failure: (typeof FAILURES)[number]) {
  const { agent, mail, posts } = await seatStrategist(sandbox);
  const transcript = join(sandbox.root, "transcript.jsonl");
  const at = new Date().toISOString();
  const inIt = { conversation: CONVERSATION, transcript };
  // The agent is known to be at work before the mail is there, so it is not rung for it.
  await agent.hook("UserPromptSubmit", { prompt: "work", ...inIt });
  const { id } = mail.deliver(letter);
  const lines = [
    { type: "user", timestamp: at, message: { content: "[MESSAGE from overlord]" } },
    { type: "user", timestamp: at, message: { content: [{ type: "tool_result", tool_use_id: id }] } },
    {
      type: "assistant",
      timestamp: at,
      message: { content: [], stop_reason: "stop_sequence" },
      isApiErrorMessage: true,
    },
  ];
  writeFileSync(transcript, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  await agent.call("check_inbox");
  await agent.hook("PostToolUse", inIt);
  await expect.poll(() => mail.countUnread("strategist"), soon).toBe(0);
  if (failure === "right before its relay was killed")
    await agent.hook("StopFailure", { error: "authentication_failed", ...inIt });
  process.kill(agent.pid, "SIGKILL");
  await expect.poll(() => existsSync(`/proc/${agent.pid}`), soon).toBe(false);
  expect(posts).toEqual([]);
  return { id, mail, posts, socket: join(sandbox.root, "inbox.sock") };
}

it.each(FAILURES)(
  "mail read in a turn that failed %s is not forgotten: the next relay wakes the agent for it, until a turn has ended well",
  async (failure) => {
    await using sandbox = makeSandbox();
    const { posts, socket } = await leaveUnfinished(sandbox, failure);
    register(sandbox, "idle");
    const next = await startAgent(sandbox, "strategist", socket);
    await expect.poll(() => posts, soon).toHaveLength(1);
    expect(wordsOf(posts[0])).toMatch(/^\[MESSAGE from overlord\] Your last turn broke off in an error/);
    await next.hook("UserPromptSubmit", { prompt: wordsOf(posts[0]) });
    expect(Object.keys(record(sandbox))).toContainEqual(expect.stringMatching(/^(unfinished|readInTurn)$/));
    await next.hook("Stop");
    expect(Object.keys(record(sandbox))).not.toContainEqual(
      expect.stringMatching(/^(unfinished|readInTurn)$/),
    );
  },
);

it("mail read in a turn in which the relay was killed is not forgotten if that turn fails under the next relay", async () => {
  await using sandbox = makeSandbox();
  const { agent, mail, posts } = await seatStrategist(sandbox);
  await agent.hook("UserPromptSubmit", { prompt: "work", conversation: CONVERSATION });
  const { id } = mail.deliver(letter);
  await agent.call("check_inbox");
  await agent.hook("PostToolUse", { conversation: CONVERSATION });
  process.kill(agent.pid, "SIGKILL");
  await expect.poll(() => existsSync(`/proc/${agent.pid}`), soon).toBe(false);
  register(sandbox, "busy");
  const next = await startAgent(sandbox, "strategist", join(sandbox.root, "inbox.sock"));
  await next.hook("PostToolUse", { tool: "Read", conversation: CONVERSATION });
  register(sandbox, "idle");
  await next.hook("StopFailure", { error: "authentication_failed", conversation: CONVERSATION });
  expect(record(sandbox)).toMatchObject({ unfinished: [{ id, from: "overlord" }] });
  expect(record(sandbox)).not.toHaveProperty("readInTurn");
  await expect.poll(() => posts, soon).toHaveLength(1);
  expect(wordsOf(posts[0])).toContain("Your last turn broke off in an error");
});

it.each(FAILURES)(
  "an agent that is started again after a turn that failed %s is told in one message which mail it had read, and is rung for that alone",
  async (failure) => {
    await using sandbox = makeSandbox();
    const { id, mail, posts, socket } = await leaveUnfinished(sandbox, failure);
    const config = join(sandbox.relayDir, "mcp/strategist.json");
    const takeUp = ["take-up", "claude", sandbox.relayDir, "--mcp-config", config];
    const taken = await runOvld(sandbox, takeUp, {
      env: { ...sandbox.env, CLAUDE_CONFIG_DIR: sandbox.home },
    });
    expect(taken).toMatchObject({ code: 0, stdout: `--resume ${CONVERSATION}\n` });
    register(sandbox, "idle");
    const next = await startAgent(sandbox, "strategist", socket);
    await expect.poll(() => posts, soon).toHaveLength(1);
    expect(wordsOf(posts[0])).not.toContain("broke off");
    const [message, ...others] = (await next.call("check_inbox")).json;
    expect(others).toEqual([]);
    expect(message).toMatchObject({ from: "ovld", subject: "You were cut off" });
    expect(message.body).toContain("had broken off in an error");
    expect(message.body).toContain(`from overlord about "order" (${id})`);
    expect(message.body).not.toContain("last tool call is unknown");
    await next.hook("Stop");
    await expect.poll(() => mail.countUnread("strategist"), soon).toBe(0);
    expect(record(sandbox)).not.toHaveProperty("unfinished");
  },
);
