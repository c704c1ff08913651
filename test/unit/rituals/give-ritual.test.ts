import { expect, test } from "vitest";
import { claudeScreen as agentScreen } from "../../../src/agent/claude/claude-screen.ts";
import { ROLES } from "../../../src/army/roles.ts";
import type { AgentState } from "../../../src/army/words.ts";
import { whyNotTyped } from "../../../src/bell/ring-by-typing.ts";
import { openMail } from "../../../src/mail/mail.ts";
import { giveRitual, type RitualSeat } from "../../../src/rituals/giving/give-ritual.ts";
import { makeFakeArmy, type FakeArmy } from "../../support/fake-army.ts";
import { makeSandbox, type Sandbox } from "../../support/sandbox.ts";

/** Side by side, because they mostly pause. */
const it = test.concurrent;

const TEXT = Array.from({ length: 20 }, (_, index) => `line ${index} of the ritual`).join("\n");

interface Table {
  army: FakeArmy;
  seat: RitualSeat;
  given: number[];
}

/** Storm is idle and has not been given its ritual. */
async function setTable(
  sandbox: Sandbox,
  { isSuspended = () => false, ...own }: Partial<RitualSeat> & { isSuspended?: () => boolean } = {},
): Promise<Table> {
  const army = await makeFakeArmy(sandbox);
  const mail = openMail(sandbox.relayDir);
  mail.init();
  const given: number[] = [];
  const seat: RitualSeat = {
    role: "storm",
    zellij: army.zellij,
    session: "army",
    agentScreen,
    pane: ROLES.indexOf("storm"),
    mail,
    due: () => TEXT,
    focus: false,
    state: () => "idle",
    whyNot: () => (isSuspended() ? "suspended" : whyNotTyped(undefined, seat.state())),
    alone: (action) => mail.whileHolding("typing-storm", seat.stop, action),
    promptedAt: () => 0,
    onGiven: () => void given.push(performance.now()),
    isLast: () => false,
    memory: {},
    stop: new AbortController().signal,
    ...own,
  };
  return { army, seat, given };
}

function typedInto(army: FakeArmy): string[] {
  return army.calls.filter((call) => call.startsWith("write-chars"));
}

it("R4 R5.1 R5.2 a ready agent is given its ritual once, with the pauses, and the next one waits a second after it", async ({
  expect,
}) => {
  await using sandbox = makeSandbox();
  const { army, seat, given } = await setTable(sandbox);
  const began = performance.now();
  let wrote = 0;
  army.before = (call) => {
    if (wrote === 0 && call.startsWith("write-chars")) wrote = performance.now();
  };
  expect(await giveRitual(seat)).toBeUndefined();
  const ended = performance.now();
  expect(army.pane("storm").sent).toEqual([{ by: "us", prompt: TEXT }]);
  expect(given).toHaveLength(1);
  expect(wrote - began).toBeGreaterThanOrEqual(500);
  expect(ended - (given[0] ?? ended)).toBeGreaterThanOrEqual(1_000);
  expect(army.moves()).toEqual([]);
});

it("a short ritual that begins with spaces and a line end is given without them", async ({ expect }) => {
  await using sandbox = makeSandbox();
  const { army, seat } = await setTable(sandbox, { due: () => "\n  You are storm.\n" });
  expect(await giveRitual(seat)).toBeUndefined();
  expect(army.pane("storm").sent).toEqual([{ by: "us", prompt: "You are storm." }]);
});

test.each<[string, AgentState]>([
  ["busy", "busy"],
  ["asking", "asking"],
])("an agent that is %s is reported as such, and nothing is typed", async (why, state) => {
  await using sandbox = makeSandbox();
  const { army, seat, given } = await setTable(sandbox, { state: () => state });
  expect(await giveRitual(seat)).toBe(why);
  expect([typedInto(army), given]).toEqual([[], []]);
});

it("an agent in an unknown state gets nothing typed", async ({ expect }) => {
  await using sandbox = makeSandbox();
  const { army, seat, given } = await setTable(sandbox, { state: () => "unknown" });
  expect(await giveRitual(seat)).toBe("state-unknown");
  expect([typedInto(army), given]).toEqual([[], []]);
});

test.each<[AgentState]>([["busy"], ["asking"]])(
  "an agent that turns %s under the text gets no Enter, the text is taken back, and it counts as not given",
  async (state) => {
    await using sandbox = makeSandbox();
    let now: AgentState = "idle";
    const { army, seat, given } = await setTable(sandbox, { state: () => now });
    army.before = (call) => {
      if (call.startsWith("write-chars")) now = state;
    };
    expect(await giveRitual(seat)).toBe(state);
    const pane = army.pane("storm");
    expect([pane.sent, pane.draft(), given]).toEqual([[], "", []]);
  },
);

it("a ritual that another process has given in the meantime is not given again", async ({ expect }) => {
  await using sandbox = makeSandbox();
  const { army, seat, given } = await setTable(sandbox, { due: () => undefined });
  expect(await giveRitual(seat)).toBeUndefined();
  expect([typedInto(army), given]).toEqual([[], []]);
});

it("after a stop before the text is typed nothing is typed, and the result says so", async ({ expect }) => {
  await using sandbox = makeSandbox();
  const stopping = new AbortController();
  const { army, seat, given } = await setTable(sandbox, { stop: stopping.signal });
  const giving = giveRitual({ ...seat, due: () => (setTimeout(() => stopping.abort(), 50), TEXT) });
  expect(await giving).toBe("interrupted");
  expect([typedInto(army), given]).toEqual([[], []]);
});

it("a closed pane is reported as such, even if it closes at the last moment", async ({ expect }) => {
  await using sandbox = makeSandbox();
  const { army, seat, given } = await setTable(sandbox);
  army.closed.add("storm");
  expect(await giveRitual(seat)).toBe("no-pane");
  army.closed.clear();
  const closing = { ...seat, due: () => (army.closed.add("storm"), TEXT) };
  expect(await giveRitual(closing)).toBe("no-pane");
  expect([typedInto(army), given]).toEqual([[], []]);
});

test.each([
  ["took after the text was typed counts, whatever the screen shows", 1, undefined],
  ["took before does not, whatever its time", 0, "no-composer"],
])("a prompt that the agent %s", async (_, later, result) => {
  await using sandbox = makeSandbox();
  let promptedAt = Date.now() + 3_600_000;
  const { army, seat } = await setTable(sandbox, { promptedAt: () => promptedAt });
  army.before = (call) => {
    if (!call.includes("\r")) return;
    army.shows.set("storm", ["working"]);
    promptedAt += later;
  };
  expect(await giveRitual(seat)).toBe(result);
});

it("R3 a viewer is taken to the pane before the text is typed, and back to the overlord after the last", async ({
  expect,
}) => {
  await using sandbox = makeSandbox();
  const { army, seat } = await setTable(sandbox, { focus: true, isLast: () => true });
  army.viewers.push("overlord");
  let seen: string[] = [];
  army.before = (call) => {
    if (call.startsWith("write-chars")) seen = [...army.viewers];
  };
  await giveRitual(seat);
  expect([seen, army.viewers]).toEqual([["storm"], ["overlord"]]);
});

it("R3 a viewer stays with a role that is not the last", async ({ expect }) => {
  await using sandbox = makeSandbox();
  const { army, seat } = await setTable(sandbox, { focus: true });
  army.viewers.push("overlord");
  await giveRitual(seat);
  expect(army.viewers).toEqual(["storm"]);
});

it("a ritual left in the composer because Zellij did not answer in time is taken back and given", async ({
  expect,
}) => {
  await using sandbox = makeSandbox();
  const { army, seat } = await setTable(sandbox);
  army.pane("storm").press(`\u001b[200~${TEXT}\u001b[201~`);
  expect(await giveRitual(seat)).toBe("draft");
  seat.memory.unconfirmed = { text: TEXT, screen: undefined, entered: false };
  expect(await giveRitual(seat)).toBeUndefined();
  expect(army.pane("storm").sent).toEqual([{ by: "us", prompt: TEXT }]);
});

it("nothing is typed into a suspended agent, nor Enter pressed in one that is suspended while the text is typed", async ({
  expect,
}) => {
  await using sandbox = makeSandbox();
  let isSuspended = true;
  const { army, seat, given } = await setTable(sandbox, { isSuspended: () => isSuspended });
  expect(await giveRitual(seat)).toBe("suspended");
  expect(typedInto(army)).toEqual([]);
  isSuspended = false;
  army.before = (call) => {
    if (call.startsWith("write-chars")) isSuspended = true;
  };
  expect(await giveRitual(seat)).toBe("suspended");
  expect(army.pane("storm").sent).toEqual([]);
  expect(given).toEqual([]);
});
