import { expect, it } from "vitest";
import { register, seatStrategist } from "../support/hooked-relay.ts";
import { makeSandbox } from "../support/sandbox.ts";
import { letter } from "../support/store.ts";
import { soon } from "../support/wait-until.ts";

const SUBAGENT = { subagent: "a1b2c3" };

it("a subagent is refused our tools, with a sentence, and the agent itself is not", async () => {
  await using sandbox = makeSandbox();
  const { agent } = await seatStrategist(sandbox);
  const before = { tool: "mcp__ovld-relay__check_inbox" };
  expect(JSON.parse((await agent.hook("PreToolUse", { ...before, ...SUBAGENT })).text)).toEqual({
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: "deny",
      permissionDecisionReason: expect.stringContaining("not for its subagents"),
    },
  });
  expect(await agent.hook("PreToolUse", { ...before, subagent: "" })).toMatchObject({
    text: "{}",
    isError: false,
  });
});

it("a subagent's events do not change the agent's state: it stays idle and is rung", async () => {
  await using sandbox = makeSandbox();
  const { agent, mail, posts } = await seatStrategist(sandbox);
  await agent.hook("SessionStart");
  await expect.poll(() => mail.agentReport("strategist")?.state, soon).toBe("idle");
  for (const event of ["PreToolUse", "PermissionRequest", "PostToolUse", "PostToolUseFailure"]) {
    await agent.hook(event, { tool: "Bash", ...SUBAGENT });
  }
  mail.deliver(letter);
  await expect.poll(() => posts, soon).toHaveLength(1);
  expect(mail.agentReport("strategist")?.state).toBe("idle");
});

it("an agent at a permission dialog is asking, whatever its subagents do in the meantime", async () => {
  await using sandbox = makeSandbox();
  const { agent, mail } = await seatStrategist(sandbox);
  await agent.hook("UserPromptSubmit", { prompt: "work" });
  await agent.hook("PermissionRequest", { tool: "Bash" });
  register(sandbox, "waiting");
  await agent.hook("PostToolUse", { tool: "Read", ...SUBAGENT });
  mail.deliver(letter);
  await expect
    .poll(() => mail.agentReport("strategist")?.bell, soon)
    .toMatchObject({ state: "held", why: "asking" });
  expect(mail.agentReport("strategist")).toMatchObject({ state: "asking", waitingFor: "Bash" });
});

it("normal mail does not wait for subagents in the background: once its turn is over, the agent is rung by its socket", async () => {
  await using sandbox = makeSandbox();
  const { agent, mail, posts } = await seatStrategist(sandbox);
  await agent.hook("UserPromptSubmit", { prompt: "work" });
  await agent.hook("Stop");
  // Later than the hook, as with Claude Code; within the same millisecond the order would be unknown.
  const busyNow = () => {
    register(sandbox, "busy");
    return mail.agentReport("strategist");
  };
  await expect.poll(busyNow, soon).toMatchObject({ state: "busy", evidence: "registry" });
  mail.deliver(letter);
  await expect.poll(() => posts, soon).toHaveLength(1);
  expect(mail.agentReport("strategist")?.state).toBe("busy");
});
