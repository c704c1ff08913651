import { expect, it } from "vitest";
import { awaitBellOutcome, type RingForDeadRelay } from "../../../src/bell/await-bell-outcome.ts";
import type { AgentReport, BellReport } from "../../../src/mail/records/agent-report.ts";
import type { Message } from "../../../src/mail/store/message.ts";
import { letter } from "../../support/store.ts";

const at = "2026-11-15T00:00:00.000Z";
const message: Message = { ...letter, id: "5", timestamp: at };

function ring(bell: BellReport, more: Partial<AgentReport> = {}, ringForDeadRelay?: RingForDeadRelay) {
  const report: AgentReport = {
    role: "strategist",
    relay: "1-1",
    state: "idle",
    since: at,
    evidence: "hook",
    bell,
    heard: "5",
    ...more,
  };
  return awaitBellOutcome({ agentReport: () => report }, message, ringForDeadRelay);
}

it.each<[BellReport, object]>([
  [
    { state: "rung", way: "socket", at, attempt: 1 },
    { state: "rung", way: "socket" },
  ],
  [
    { state: "begun", way: "typing", at, attempt: 1 },
    { state: "rung", way: "typing" },
  ],
  [{ state: "rung", way: "hook", at: "2026-11-14T23:59:59.999Z", attempt: 1 }, { state: "already rung" }],
  [{ state: "quiet" }, { state: "already rung" }],
  [
    { state: "unanswered", at, attempt: 9 },
    { state: "unknown", why: "it was rung before and has not answered; the mail is safe" },
  ],
])("if the recipient's relay reports %o the sender gets %o", async (bell, outcome) => {
  expect(await ring(bell)).toEqual(outcome);
});

it("what a relay reported before it heard of this message does not count as an answer", async () => {
  const bell: BellReport = { state: "quiet" };
  expect(await ring(bell, { heard: "6" })).toEqual({ state: "already rung" });
  expect(await ring(bell, { heard: "4" })).toEqual({
    state: "unknown",
    why: "its relay has not said yet; the mail is safe",
  });
});

it.each<[RingForDeadRelay | undefined, object]>([
  [undefined, { state: "held", reason: "agent-gone" }],
  [async () => "already rung", { state: "already rung" }],
  [async () => ({ rung: true }), { state: "rung", way: "typing", by: "sender" }],
  [async () => ({ held: "draft" }), { state: "held", reason: "draft" }],
])(
  "if the recipient's relay is dead, the result of the substitute ring counts (case %#)",
  async (ringForDeadRelay, outcome) => {
    expect(await ring({ state: "quiet" }, { state: "gone" }, ringForDeadRelay)).toEqual(outcome);
  },
);
