import { identifyOurselves } from "../../../src/system/process.ts";
import { expect, it } from "vitest";
import {
  awaitBellOutcome,
  ringerForDeadRelay,
  type BellOutcome,
  type RingForDeadRelay,
} from "../../../src/bell/await-bell-outcome.ts";
import type { AgentReport, BellReport } from "../../../src/mail/records/agent-report.ts";
import { makePaneLister } from "../../support/pane-lister.ts";
import { letter, makeStore, type StoreFixture } from "../../support/store.ts";
import { atMost } from "../../support/wait-until.ts";

const us = identifyOurselves();
const since = "2026-11-15T00:00:00.000Z";
const later = "2999-01-01T00:00:00.000Z";

function report(store: StoreFixture, bell: BellReport, more: Partial<AgentReport> = {}): void {
  store.mail.reportAgent({
    role: "strategist",
    relay: us,
    state: "idle",
    since,
    evidence: "hook",
    bell,
    heard: "~",
    ...more,
  });
}

it("a recipient that has no relay yet is not rung, and the sender is told that it is starting", async () => {
  await using store = makeStore();
  const outcome = await awaitBellOutcome(store.mail, store.mail.deliver(letter), undefined);
  expect(outcome).toEqual({ state: "held", reason: "starting" });
});

it("the sender is told how its recipient's relay rang", async () => {
  await using store = makeStore();
  report(store, { state: "rung", way: "socket", at: later, attempt: 1 });
  const outcome = await awaitBellOutcome(store.mail, store.mail.deliver(letter), undefined);
  expect(outcome).toEqual({ state: "rung", way: "socket" });
});

it("DG3 D4 mail that came after the bell was rung, and before it was answered, rings no second time", async () => {
  await using store = makeStore();
  report(store, { state: "rung", way: "socket", at: since, attempt: 1 });
  const outcome = await awaitBellOutcome(store.mail, store.mail.deliver(letter), undefined);
  expect(outcome).toEqual({ state: "already rung" });
});

it("the sender is told why its recipient was not rung", async () => {
  await using store = makeStore();
  report(store, { state: "held", why: "asking", at: since });
  const outcome = await awaitBellOutcome(store.mail, store.mail.deliver(letter), undefined);
  expect(outcome).toEqual({ state: "held", reason: "asking" });
});

it("a relay that says nothing is waited for no longer than a second, and nothing is claimed", async () => {
  await using store = makeStore();
  report(store, { state: "quiet" }, { heard: "" });
  const delivered = store.mail.deliver(letter);
  const began = performance.now();
  const outcome = await awaitBellOutcome(store.mail, delivered, undefined);
  expect(outcome).toEqual({ state: "unknown", why: expect.stringContaining("the mail is safe") });
  expect(performance.now() - began).toBeLessThan(await atMost(1_500));
});

it("D3 a recipient whose relay is dead is rung by the sender, whose answer says so", async () => {
  await using store = makeStore();
  report(store, { state: "quiet" }, { relay: "1-0" });
  const rung: string[] = [];
  const ringForDeadRelay: RingForDeadRelay = async (role, { state }) => {
    rung.push(`${role} ${state}`);
    return { rung: true };
  };
  const outcome = await awaitBellOutcome(store.mail, store.mail.deliver(letter), ringForDeadRelay);
  expect(outcome).toEqual({ state: "rung", way: "typing", by: "sender" });
  expect(rung).toEqual(["strategist gone"]);
});

it("M3.2 a recipient without a pane is an error told to the sender, not a crash, and nothing is typed anywhere", async () => {
  await using store = makeStore();
  report(store, { state: "quiet" }, { relay: "1-0", pane: 9 });
  const zellij = makePaneLister(store.sandbox, ["overlord", "inferno"]);
  const ringForDeadRelay = ringerForDeadRelay({
    by: "overlord",
    ringer: us,
    session: "army",
    relayDir: store.sandbox.relayDir,
    zellij: zellij.program,
    isBudgetReached: () => false,
    mail: store.mail,
    env: store.sandbox.env,
  });
  const outcome = await awaitBellOutcome(store.mail, store.mail.deliver(letter), ringForDeadRelay);
  expect(outcome).toEqual({ state: "held", reason: "no-pane" });
  expect(zellij.actions()).toEqual(["list-panes"]);
  expect(store.mail.flag("strategist")).toBeUndefined();
  expect(store.inbox()).toHaveLength(1);
});

it("mail that is already held answers for another normal message, but not for an urgent one", async () => {
  await using store = makeStore();
  report(store, { state: "held", why: "busy", at: since }, { heard: "" });
  const send = (more: object = {}): Promise<BellOutcome> =>
    awaitBellOutcome(store.mail, store.mail.deliver({ ...letter, ...more }), undefined);
  expect(await send()).toMatchObject({ state: "held", reason: "busy" });
  expect(await send({ priority: "urgent" })).toMatchObject({ state: "unknown" });
});
