import { identifyOurselves } from "../../../src/system/process.ts";
import { mkdirSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { armyRitualFile, noteRitualGiven } from "../../../src/rituals/ritual-file.ts";
import type { AgentReport } from "../../../src/mail/records/agent-report.ts";
import type { RitualWait } from "../../../src/army/words.ts";
import { openMail } from "../../../src/mail/mail.ts";
import { lookAtRitual, type RitualField } from "../../../src/rituals/await-rituals.ts";
import { makeFakeArmy, type FakeArmy } from "../../support/fake-army.ts";
import { makeSandbox, type Sandbox } from "../../support/sandbox.ts";

const US = identifyOurselves();
const DEAD = "999999999-1.dead0000";
const QUESTION = ["Make auto mode your default?", "", "❯ 1. Yes"];

/** Storm should have a ritual; this is its relay's report, if it has one. */
async function lay(
  sandbox: Sandbox,
  report?: Partial<AgentReport>,
): Promise<{ army: FakeArmy; field: RitualField }> {
  const army = await makeFakeArmy(sandbox);
  const mail = openMail(sandbox.relayDir);
  mail.init();
  mkdirSync(`${sandbox.relayDir}/rituals`, { recursive: true });
  writeFileSync(armyRitualFile(sandbox.relayDir, "storm"), "I am storm.");
  const own = { role: "storm", relay: US, agent: US, state: "idle", evidence: "none", pane: 5 } as const;
  const rest = { since: new Date().toISOString(), bell: { state: "quiet" } } as const;
  if (report) mail.reportAgent({ ...own, ...rest, ...report });
  return { army, field: { zellij: army.zellij, session: "army", relayDir: sandbox.relayDir, mail } };
}

it("a role that has its ritual waits for nothing, and its pane is not read", async () => {
  await using sandbox = makeSandbox();
  const { army, field } = await lay(sandbox, { ritualWait: "starting" });
  noteRitualGiven(openMail(sandbox.relayDir), "storm", US);
  expect(await lookAtRitual(field, "storm", "closely")).toBeUndefined();
  expect(army.calls).toEqual([]);
});

it.each<[string, RitualWait | undefined, RitualWait]>([
  ["a quick look takes the relay's word", "asking", "asking"],
  ["a relay that says nothing is starting", undefined, "starting"],
])("%s, without a call of Zellij", async (_, ritualWait, waits) => {
  await using sandbox = makeSandbox();
  const { army, field } = await lay(sandbox, ritualWait && { ritualWait });
  expect(await lookAtRitual(field, "storm", "quickly")).toEqual({ waits });
  expect(army.calls).toEqual([]);
});

it("what the relay knows better than the pane is not looked up there", async () => {
  await using sandbox = makeSandbox();
  const { army, field } = await lay(sandbox, { ritualWait: "draft" });
  expect(await lookAtRitual(field, "storm", "closely")).toEqual({ waits: "draft" });
  expect(army.calls).toEqual([]);
});

it.each<[string, RitualWait, Partial<AgentReport>, RitualWait, string | undefined]>([
  ["a question without a composer", "no-composer", {}, "no-composer", QUESTION[0]],
  ["a dialog", "asking", { state: "asking" }, "asking", QUESTION[0]],
  ["a turn", "no-answer", { state: "busy" }, "busy", undefined],
])(
  "%s on the pane says more than the relay, and is quoted in its own words if unknown",
  async (_, ritualWait, more, waits, words) => {
    await using sandbox = makeSandbox();
    const { army, field } = await lay(sandbox, { ritualWait, ...more });
    army.shows.set("storm", QUESTION);
    expect(await lookAtRitual(field, "storm", "closely")).toEqual({ waits, ...(words && { words }) });
  },
);

it("an agent whose relay is gone or has not started is found by the name of its pane, and its question is read", async () => {
  await using sandbox = makeSandbox();
  const { army, field } = await lay(sandbox, { relay: DEAD, agent: DEAD, pane: 0, ritualWait: "draft" });
  army.shows.set("storm", QUESTION);
  expect(await lookAtRitual(field, "storm", "closely")).toEqual({ waits: "asks-first", words: QUESTION[0] });
});

it("a pane without words is not quoted, a ready one waits for its relay, a closed one is reported", async () => {
  await using sandbox = makeSandbox();
  const { army, field } = await lay(sandbox, { ritualWait: "no-composer" });
  army.shows.set("storm", ["────"]);
  expect(await lookAtRitual(field, "storm", "closely")).toEqual({ waits: "no-composer", words: undefined });
  army.shows.delete("storm");
  expect(await lookAtRitual(field, "storm", "closely")).toEqual({ waits: "no-composer" });
  army.closed.add("storm");
  expect(await lookAtRitual(field, "storm", "closely")).toEqual({ waits: "no-pane" });
});
