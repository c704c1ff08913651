import { test } from "vitest";
import { claudeScreen as agentScreen } from "../../../src/agent/claude/claude-screen.ts";
import type { AgentState } from "../../../src/army/words.ts";
import { whyNotTyped } from "../../../src/bell/ring-by-typing.ts";
import { openMail } from "../../../src/mail/mail.ts";
import { keepRitual } from "../../../src/rituals/giving/give-ritual.ts";
import { makeFakeArmy, type FakeArmy } from "../../support/fake-army.ts";
import { makeSandbox, type Sandbox } from "../../support/sandbox.ts";
import { soon } from "../../support/wait-until.ts";

/** Side by side, because they mostly pause. */
const it = test.concurrent;

const TEXT = "I am storm.\nThat is all.";

interface Kept {
  army: FakeArmy;
  /** What was reported, in order. */
  told: string[];
  agent: { state: AgentState; promptedAt: number };
  ritual: { due: boolean };
}

async function keep(sandbox: Sandbox, own: Partial<Parameters<typeof keepRitual>[0]> = {}): Promise<Kept> {
  const army = await makeFakeArmy(sandbox);
  const mail = openMail(sandbox.relayDir);
  mail.init();
  const told: string[] = [];
  const agent: Kept["agent"] = { state: "idle", promptedAt: 0 };
  const ritual = { due: true };
  const closing = new AbortController();
  const seat: Parameters<typeof keepRitual>[0] = {
    role: "storm",
    zellij: army.zellij,
    session: "army",
    agentScreen,
    memory: {},
    pane: 5,
    mail,
    stop: closing.signal,
    due: () => (ritual.due ? TEXT : undefined),
    focus: false,
    state: () => agent.state,
    promptedAt: () => agent.promptedAt,
    whyNot: () => whyNotTyped(undefined, agent.state),
    alone: (action) => action(),
    onGiven: () => {
      ritual.due = false;
      told.push("given");
    },
    isLast: () => false,
    ...own,
  };
  void keepRitual(seat, (waits) => void told.push(waits));
  sandbox.defer(() => closing.abort());
  return { army, told, agent, ritual };
}

it("what the ritual waits for is reported when it changes, and once; then the ritual is given", async ({
  expect,
}) => {
  await using sandbox = makeSandbox();
  const { army, told, agent } = await keep(sandbox);
  agent.state = "busy";
  await expect.poll(() => told, soon).toEqual(["busy"]);
  const looks = (): number => army.calls.filter((call) => call === "list-panes --json").length;
  const before = looks();
  await expect.poll(looks, soon).toBeGreaterThan(before + 1);
  agent.state = "idle";
  army.pane("storm").press("half a th");
  await expect.poll(() => told, soon).toEqual(["busy", "draft"]);
  army.pane("storm").press("\u0015");
  await expect.poll(() => told, soon).toEqual(["busy", "draft", "given"]);
  expect(army.pane("storm").sent).toEqual([{ by: "us", prompt: TEXT }]);
});

it("a ritual that is due again after it was given is given again", async ({ expect }) => {
  await using sandbox = makeSandbox();
  const { army, told, ritual } = await keep(sandbox);
  await expect.poll(() => told, soon).toEqual(["given"]);
  ritual.due = true;
  await expect.poll(() => told, soon).toEqual(["given", "given"]);
  expect(army.pane("storm").sent).toHaveLength(2);
});

it("a prompt that the agent has taken since counts, whatever its screen shows", async ({ expect }) => {
  await using sandbox = makeSandbox();
  const { army, told, agent } = await keep(sandbox);
  army.before = (call) => {
    if (!call.includes("\r")) return;
    army.shows.set("storm", ["at work"]);
    agent.promptedAt = Date.now();
  };
  await expect.poll(() => told, soon).toEqual(["given"]);
});

it("a failing Zellij is reported and retried; nothing is reported or typed after closing", async ({
  expect,
}) => {
  await using sandbox = makeSandbox();
  const env = { ...sandbox.env };
  const { told } = await keep(sandbox, { zellij: { program: "/nonexistent/zellij", env } });
  await expect.poll(() => told.length, soon).toBe(1);
  expect(["no-answer", "zellij-failed"]).toContain(told[0]);
  await using another = makeSandbox();
  const { army, told: later, agent } = await keep(another);
  agent.state = "busy";
  await expect.poll(() => later, soon).toEqual(["busy"]);
  await another[Symbol.asyncDispose]();
  const calls = army.calls.length;
  agent.state = "idle";
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  expect([later, army.calls.length - calls, army.pane("storm").sent]).toEqual([["busy"], 0, []]);
});

it("an agent that has its ritual is checked once a second, and no more often", async ({ expect }) => {
  await using sandbox = makeSandbox();
  const looks: number[] = [];
  await keep(sandbox, { due: () => void looks.push(performance.now()) });
  await expect.poll(() => looks.length, soon).toBeGreaterThan(2);
  const [, second = 0, third = 0] = looks;
  expect(third - second).toBeGreaterThan(950);
});
