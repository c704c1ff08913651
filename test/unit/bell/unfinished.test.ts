import { expect, it } from "vitest";
import { isLimited } from "../../../src/bell/bell-loop.ts";
import { trackUnfinished } from "../../../src/bell/unfinished.ts";
import { ROLES, type Role } from "../../../src/army/roles.ts";
import type { AgentReport } from "../../../src/mail/records/agent-report.ts";
import type { Conversation } from "../../../src/mail/records/conversation.ts";
import { identifyOurselves } from "../../../src/system/process.ts";
import { keepOne } from "../../support/bell-loop.ts";
import { makeStore } from "../../support/store.ts";
import { soon } from "../../support/wait-until.ts";

const order = { id: "1", from: "overlord" } as const;
const atFailure = { state: "failed" } as const;

const us = identifyOurselves();
const at = "2026-11-15T03:48:12.303Z";
const known: Conversation = {
  role: "storm",
  program: "claude",
  since: at,
  agent: us,
  started: at,
  start: "began",
  ritual: at,
};

/** An agent with this on record; `kept` gets what is recorded of it. */
function owing(
  record: Partial<Conversation> = {},
  kept: unknown[] = [],
): Parameters<typeof trackUnfinished>[0] {
  let own: Conversation = { ...known, ...record };
  const mail = {
    conversation: () => own,
    recordConversation(next: Conversation) {
      own = next;
      kept.push([next.unfinished ?? [], next.readInTurn ?? []]);
    },
  };
  return { role: "storm", mail, agent: us, endsInError: () => false };
}

it("mail read in a failed turn is owed, and due again after growing pauses, until a turn has ended well", () => {
  const unfinished = trackUnfinished(owing(), 0);
  unfinished.wasRead([order]);
  unfinished.hear({ event: "turn-failed" }, false, 0);
  expect(unfinished.owed()).toEqual([order]);
  const pauses: number[] = [];
  let now = 0;
  for (let ring = 0; ring < 7; ring += 1) {
    const from = now;
    while (!unfinished.isDue(atFailure, now)) now += 1_000;
    pauses.push((now - from) / 1_000);
    unfinished.rung(now);
    unfinished.hear({ event: "turn-failed" }, false, now);
  }
  expect(pauses).toEqual([5, 30, 60, 120, 300, 600, 600]);
  unfinished.hear({ event: "turn-ended" }, false, now);
  expect(unfinished.owed()).toEqual([]);
  expect(unfinished.isDue(atFailure, now + 3_600_000)).toBe(false);
});

it("nothing is owed for a turn that read no mail, that ended well, or that the person interrupted", () => {
  const unfinished = trackUnfinished(owing(), 0);
  unfinished.hear({ event: "turn-failed" }, false, 0);
  unfinished.wasRead([order]);
  unfinished.hear({ event: "turn-ended" }, false, 0);
  unfinished.hear({ event: "turn-failed" }, false, 0);
  unfinished.wasRead([order]);
  unfinished.hear({ event: "turn-interrupted" }, false, 0);
  expect(unfinished.owed()).toEqual([]);
});

it("a turn that ended without a word, before the next prompt, was interrupted; a prompt into a turn ends nothing", () => {
  const unfinished = trackUnfinished(owing(), 0);
  unfinished.wasRead([order]);
  unfinished.hear({ event: "prompted" }, true, 0);
  unfinished.hear({ event: "turn-failed" }, false, 0);
  expect(unfinished.owed()).toEqual([]);
  unfinished.wasRead([order]);
  unfinished.hear({ event: "prompted" }, false, 0);
  unfinished.hear({ event: "turn-failed" }, false, 0);
  expect(unfinished.owed()).toEqual([order]);
});

it("nothing is owed any more once the conversation was cleared; a compacted one goes on", () => {
  const unfinished = trackUnfinished(owing(), 0);
  unfinished.wasRead([order]);
  unfinished.hear({ event: "turn-failed" }, false, 0);
  unfinished.hear({ event: "conversation-began", lost: "compacted" }, true, 0);
  expect(unfinished.owed()).toEqual([order]);
  unfinished.hear({ event: "conversation-began", lost: "cleared" }, true, 0);
  expect(unfinished.owed()).toEqual([]);
});

const failed: AgentReport = {
  role: "glacier",
  relay: "1-1",
  state: "failed",
  since: "2026-11-15T10:00:00.000Z",
  evidence: "hook",
  failure: { error: "rate_limit", until: "2026-11-15T15:00:00.000Z" },
  bell: { state: "quiet" },
};

const only = (report: AgentReport) => (role: Role) => (role === report.role ? report : undefined);

const resumed = (now: number) => ROLES.filter((role) => !isLimited(role, only(failed), now));

it("a limit that names its end pauses every role until then, and they resume by rank, the overlord first", () => {
  const until = Date.parse("2026-11-15T15:00:00.000Z");
  for (const role of ROLES) expect(isLimited(role, only(failed), until - 1)).toBe(true);
  expect(resumed(until)).toEqual(["overlord"]);
  expect(resumed(until + 5_000)).toEqual(["overlord", "strategist"]);
  expect(resumed(until + 25_000)).toEqual([...ROLES]);
});

it("a failure without an end time, and one that is over, pause no role", () => {
  const now = Date.parse("2026-11-15T14:00:00.000Z");
  expect(isLimited("storm", only({ ...failed, failure: { error: "rate_limit" } }), now)).toBe(false);
  expect(isLimited("storm", only({ ...failed, state: "idle" }), now)).toBe(false);
});

it("a limit is over for the whole army once any agent has ended a turn well after it, and not before", () => {
  const now = Date.parse("2026-11-15T14:00:00.000Z");
  const isHeld = (other: Partial<AgentReport>): boolean => {
    const storm: AgentReport = { ...failed, role: "storm", failure: undefined, ...other };
    const reportOf = (role: Role) => (role === "storm" ? storm : only(failed)(role));
    return isLimited("overlord", reportOf, now);
  };
  const [before, after] = ["2026-11-15T09:59:59.999Z", "2026-11-15T10:00:00.001Z"];
  expect(isHeld({ state: "idle", since: after })).toBe(false);
  expect(isHeld({ state: "idle", since: before })).toBe(true);
  // It may have been interrupted.
  expect(isHeld({ state: "idle", since: after, evidence: "registry" })).toBe(true);
  expect(isHeld({ state: "busy", since: after })).toBe(true);
});

it("mail is owed once, however many turns fail after the one in which it was read", () => {
  const unfinished = trackUnfinished(owing(), 0);
  unfinished.wasRead([{ id: "1", from: "overlord" }]);
  unfinished.hear({ event: "turn-failed" }, false, 0);
  unfinished.hear({ event: "turn-failed" }, false, 1);
  expect(unfinished.owed()).toEqual([{ id: "1", from: "overlord" }]);
});

it("the first wait counts from the failed turn, whenever that was", () => {
  const unfinished = trackUnfinished(owing(), 0);
  unfinished.wasRead([{ id: "1", from: "overlord" }]);
  expect(unfinished.isDue(atFailure, Infinity)).toBe(false);
  unfinished.hear({ event: "turn-failed" }, false, 1_000);
  expect(unfinished.isDue(atFailure, 5_999)).toBe(false);
  expect(unfinished.isDue(atFailure, 6_000)).toBe(true);
});

it("an agent is rung for owed mail by the first way that works, at rest, and it is due again only after a pause", async () => {
  const unfinished = trackUnfinished(owing({ unfinished: [order] }), 0);
  const rung: unknown[] = [];
  await using kept = keepOne(["socket", "typing"], {
    unfinished,
    clock: { now: () => 5_000, timeOfDay: Date.now },
  });
  kept.store.mail.note = (entry) => void rung.push(entry);
  kept.refusals.push("socket-refused");
  await expect
    .poll(() => rung, soon)
    .toMatchObject([{ event: "rung", way: "typing", attempt: 1, ids: ["1"] }]);
  expect(kept.rings).toEqual(["socket", "typing"]);
  expect(kept.store.mail.flag("strategist")).toBeUndefined();
  await kept.looked();
  expect(kept.rings).toHaveLength(2);
  expect(unfinished.isDue(atFailure, 5_001)).toBe(false);
});

it("what is owed and what the running turn has read are recorded when they change, and only then", () => {
  const kept: unknown[] = [];
  const unfinished = trackUnfinished(owing({}, kept), 0);
  unfinished.wasRead([]);
  for (const event of ["turn-ended", "turn-failed", "prompted", "turn-ended"] as const)
    unfinished.hear({ event }, false, 0);
  expect(kept.splice(0)).toEqual([]);
  unfinished.wasRead([order]);
  expect(kept.splice(0)).toEqual([[[], [order]]]);
  unfinished.hear({ event: "turn-failed" }, false, 0);
  unfinished.hear({ event: "turn-failed" }, false, 0);
  expect(kept.splice(0)).toEqual([[[order], []]]);
  unfinished.hear({ event: "turn-ended" }, false, 0);
  unfinished.hear({ event: "turn-ended" }, false, 0);
  expect(kept).toEqual([[[], []]]);
});

it("what a turn has read under an earlier relay is owed if the turn fails under this one, and not if it ends well or another begins", () => {
  const inTurn = owing({ readInTurn: [order] });
  const failing = trackUnfinished({ ...inTurn }, 0);
  expect(failing.owed()).toEqual([]);
  failing.hear({ event: "turn-failed" }, false, 0);
  expect(failing.owed()).toEqual([order]);
  const ended = trackUnfinished({ ...inTurn }, 0);
  ended.hear({ event: "turn-ended" }, false, 0);
  const prompted = trackUnfinished({ ...inTurn }, 0);
  prompted.hear({ event: "prompted" }, true, 0);
  for (const unfinished of [ended, prompted]) {
    unfinished.hear({ event: "turn-failed" }, false, 0);
    expect(unfinished.owed()).toEqual([]);
  }
});

it("an agent that owed mail when the relay started is woken at its prompt, and after its next turn only if that failed", () => {
  const unfinished = trackUnfinished(owing({ unfinished: [order] }), 1_000);
  const [idle, busy] = [{ state: "idle" }, { state: "busy" }] as const;
  expect(unfinished.owed()).toEqual([order]);
  expect(unfinished.isDue(idle, 5_999)).toBe(false);
  expect(unfinished.isDue(busy, 6_000)).toBe(false);
  expect(unfinished.isDue(idle, 6_000)).toBe(true);
  unfinished.hear({ event: "prompted" }, true, 6_000);
  // The person has interrupted that turn.
  expect(unfinished.isDue(idle, 1e9)).toBe(false);
  unfinished.hear({ event: "turn-failed" }, false, 7_000);
  expect(unfinished.isDue(atFailure, 1e9)).toBe(true);
});

const owedMail = { id: "1", from: "strategist" } as const;

it("what an agent owes is kept with its conversation, without the mail itself, and recalled from there", async () => {
  await using store = makeStore();
  store.mail.recordConversation(known);
  const place = { role: "storm", mail: store.mail, agent: us, endsInError: () => false } as const;
  const unfinished = trackUnfinished(place, 0);
  expect(unfinished.owed()).toEqual([]);
  const withBody = { ...owedMail, body: "build the wall" };
  unfinished.wasRead([withBody]);
  expect(store.open().conversation("storm")).toEqual({ ...known, readInTurn: [owedMail] });
  expect(trackUnfinished(place, 0).owed()).toEqual([]);
  unfinished.hear({ event: "turn-failed" }, false, 0);
  expect(store.open().conversation("storm")).toEqual({ ...known, unfinished: [owedMail] });
  expect(trackUnfinished(place, 0).owed()).toEqual([owedMail]);
  unfinished.hear({ event: "turn-ended" }, false, 0);
  expect(store.open().conversation("storm")).toEqual(known);
});

it("what another agent of the role owes is neither recalled nor changed", async () => {
  await using store = makeStore();
  const other: Conversation = { ...known, agent: "999999999-1.dead", unfinished: [owedMail] };
  store.mail.recordConversation(other);
  for (const agent of [us, undefined]) {
    const place = { role: "storm", mail: store.mail, agent, endsInError: () => false } as const;
    const unfinished = trackUnfinished(place, 0);
    expect(unfinished.owed()).toEqual([]);
    unfinished.wasRead([order]);
    unfinished.hear({ event: "turn-ended" }, false, 0);
  }
  expect(store.open().conversation("storm")).toEqual(other);
});

it("what cannot be kept now, on a full disk, is kept as soon as there is room", async () => {
  await using store = makeStore();
  store.mail.recordConversation(known);
  let isFull = true;
  const mail: typeof store.mail = {
    ...store.mail,
    recordConversation(conversation) {
      if (isFull) throw new Error("no space left");
      store.mail.recordConversation(conversation);
    },
  };
  const place = { role: "storm", mail, agent: us, endsInError: () => false } as const;
  trackUnfinished(place, 0).wasRead([owedMail]);
  isFull = false;
  await expect.poll(() => store.open().conversation("storm"), soon).toMatchObject({ readInTurn: [owedMail] });
});

it("mail read in a turn that failed when no relay ran is owed", () => {
  const place = owing({ transcript: "/it", readInTurn: [owedMail] });
  const failing = { ...place, endsInError: (transcript: string) => transcript === "/it" };
  expect(trackUnfinished(failing, 0).owed()).toEqual([owedMail]);
  expect(trackUnfinished(place, 0).owed()).toEqual([]);
});
