import { expect, it } from "vitest";
import { ROLES } from "../../src/army/roles.ts";
import { seatStrategist } from "../support/hooked-relay.ts";
import { startRelay } from "../support/relay.ts";
import { makeSandbox } from "../support/sandbox.ts";
import { letter } from "../support/store.ts";
import { soon } from "../support/wait-until.ts";

it("M5.1 M6.1 update_status sets one's own status and task, get_status shows it to others", async () => {
  await using sandbox = makeSandbox();
  const inferno = await startRelay(sandbox, "inferno");
  const overlord = await startRelay(sandbox, "overlord");
  const { text } = await inferno.call("update_status", { status: "working", task: "認証の実装" });
  expect(text).toBe("ok");
  expect((await overlord.call("get_status", { role: "inferno" })).json).toMatchObject({
    role: "inferno",
    status: "working",
    task: "認証の実装",
    updated: expect.stringMatching(/^\d{4}-/),
  });
});

it("M5.1 get_status says the agent's observed state, since when, and how much mail is unread", async () => {
  await using sandbox = makeSandbox();
  const { agent, mail } = await seatStrategist(sandbox);
  const { call } = await startRelay(sandbox, "overlord");
  const look = async () => (await call("get_status", { role: "strategist" })).json;
  const expectSeen = async (event: string, tool: string, seen: object, unread: number): Promise<void> => {
    const from = Date.now();
    await agent.hook(event, { tool });
    await expect.poll(look, soon).toMatchObject({ status: "working", agent: seen, unread });
    const { since, ...rest } = (await look()).agent;
    expect(rest).toEqual(seen);
    // A relay's steady clock may be some milliseconds off.
    expect(Date.parse(since)).toBeGreaterThanOrEqual(from - 50);
    expect(Date.parse(since)).toBeLessThanOrEqual(Date.now() + 50);
  };
  await agent.call("update_status", { status: "working", task: "the gate" });
  await expectSeen("SessionStart", "", { state: "idle" }, 0);
  await expectSeen("UserPromptSubmit", "", { state: "busy" }, 0);
  mail.deliver(letter);
  await expectSeen("PermissionRequest", "Bash", { state: "asking", waitingFor: "Bash" }, 1);
  process.kill(agent.pid, "SIGKILL");
  await expect.poll(look, soon).toMatchObject({ status: "working", agent: { state: "gone" }, unread: 1 });
  expect((await look()).agent).toEqual({ state: "gone" });
});

it("M5.1 an agent is busy since its prompt, not since its last tool", async () => {
  await using sandbox = makeSandbox();
  const { agent, mail } = await seatStrategist(sandbox);
  await agent.hook("UserPromptSubmit", { prompt: "work" });
  await expect.poll(() => mail.agentReport("strategist")?.state, soon).toBe("busy");
  const since = mail.agentReport("strategist")?.since;
  await agent.hook("PostToolUse", { tool: "Bash" });
  mail.deliver(letter);
  // The following report was written after the tool was used.
  await expect.poll(() => mail.agentReport("strategist")?.bell.state, soon).toBe("held");
  expect(mail.agentReport("strategist")).toMatchObject({ state: "busy", since });
});

it("M5.2 get_status of all says that roles without a relay are starting", async () => {
  await using sandbox = makeSandbox();
  const { call } = await startRelay(sandbox, "overlord");
  for (const { agent, unread } of (await call("get_status")).json) {
    expect([agent, unread]).toEqual([{ state: "starting" }, 0]);
  }
});

it.each([[{ role: "all" }], [{}]])("M5.2 get_status with %o returns all six roles", async (args) => {
  await using sandbox = makeSandbox();
  const { call } = await startRelay(sandbox, "overlord");
  const { json } = await call("get_status", args);
  expect(json.map(({ role }: { role: string }) => role)).toEqual([...ROLES]);
});
