import { expect, it } from "vitest";
import { createBell, type RingInstead } from "../../../src/bell/bell.ts";
import type { AgentReport, BellReport } from "../../../src/mail/agent-report.ts";
import type { Message } from "../../../src/mail/message.ts";
import { letter } from "../../support/store.ts";

const at = "2026-11-15T00:00:00.000Z";
const message: Message = { ...letter, id: "5", timestamp: at };

function ring(bell: BellReport, more: Partial<AgentReport> = {}, ringInstead?: RingInstead) {
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
  return createBell({ agentReport: () => report }, ringInstead).ring(message);
}

it.each<[BellReport, object]>([
  [
    { bell: "rung", way: "socket", at, attempt: 1 },
    { bell: "rung", way: "socket" },
  ],
  [
    { bell: "begun", way: "typing", at, attempt: 1 },
    { bell: "rung", way: "typing" },
  ],
  [{ bell: "rung", way: "hook", at: "2026-11-14T23:59:59.999Z", attempt: 1 }, { bell: "already rung" }],
  [{ bell: "quiet" }, { bell: "already rung" }],
  [
    { bell: "unanswered", at, attempt: 9 },
    { bell: "unknown", why: "it was rung before and has not answered; the mail is safe" },
  ],
])("where the recipient's relay says %o the sender hears %o", async (bell, outcome) => {
  expect(await ring(bell)).toEqual(outcome);
});

it("what a relay said before it heard of this message is no answer", async () => {
  const bell: BellReport = { bell: "quiet" };
  expect(await ring(bell, { heard: "6" })).toEqual({ bell: "already rung" });
  expect(await ring(bell, { heard: "4" })).toEqual({
    bell: "unknown",
    why: "its relay has not said yet; the mail is safe",
  });
});

it.each<[RingInstead | undefined, object]>([
  [undefined, { bell: "held", reason: "agent-gone", why: expect.stringContaining("agent") }],
  [async () => "already rung", { bell: "already rung" }],
  [async () => undefined, { bell: "rung", way: "typing", by: "sender" }],
  [async () => "draft", { bell: "held", reason: "draft", why: expect.stringContaining("typed") }],
])("where its relay is dead, the one who rings instead decides (case %#)", async (ringInstead, outcome) => {
  expect(await ring({ bell: "quiet" }, { state: "gone" }, ringInstead)).toEqual(outcome);
});
