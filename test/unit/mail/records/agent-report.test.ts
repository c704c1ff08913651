import { identifyOurselves } from "../../../../src/system/process.ts";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import type { AgentReport, BellReport } from "../../../../src/mail/records/agent-report.ts";
import { makeStore } from "../../../support/store.ts";

const at = "2026-11-15T03:48:12.303Z";
const living: AgentReport = {
  role: "storm",
  relay: identifyOurselves(),
  agent: "4700-1106112.4e83f4e1",
  state: "asking",
  since: at,
  evidence: "registry",
  waitingFor: "permission to run tests",
  pane: 5,
  bell: { state: "held", why: "asking", at },
  heard: "0mwhgow9k000-ij3jyo",
};

it.each<BellReport>([
  { state: "quiet" },
  { state: "rung", way: "socket", at, attempt: 1 },
  { state: "begun", way: "hook", at, attempt: 2 },
  { state: "held", why: "draft", at },
  { state: "unanswered", at, attempt: 7 },
])("a report is read back completely, with the bell at $bell", async (bell) => {
  await using store = makeStore();
  store.mail.reportAgent({ ...living, bell });
  expect(store.open().agentReport("storm")).toEqual({ ...living, bell });
  expect(readFileSync(store.path("agents/storm.json"), "utf8")).toMatch(/^\{.*\}\n$/);
});

it.each(["starting", "idle", "busy", "asking", "unknown"] as const)("an agent can be %s", async (state) => {
  await using store = makeStore();
  store.mail.reportAgent({ ...living, state });
  expect(store.mail.agentReport("storm")?.state).toBe(state);
});

it("a report with only the required fields is read back, too", async () => {
  await using store = makeStore();
  const { agent: _, waitingFor: __, pane: ___, heard: ____, ...least } = living;
  store.mail.reportAgent(least);
  expect(store.mail.agentReport("storm")).toEqual(least);
});

it("the report of a dead relay is out of date: its agent counts as gone, the rest stays known", async () => {
  await using store = makeStore();
  store.mail.reportAgent({ ...living, relay: "999999999-1.dead" });
  expect(store.mail.agentReport("storm")).toEqual({
    ...living,
    relay: "999999999-1.dead",
    state: "gone",
    evidence: "none",
  });
});

it.each([
  ["half a file", '{"role":"storm"'],
  ["an unknown state", JSON.stringify({ ...living, state: "asleep" })],
  ["no time", JSON.stringify({ ...living, since: "yesterday" })],
  ["an unknown bell", JSON.stringify({ ...living, bell: { bell: "loud" } })],
])("a report that is %s counts as missing", async (_, content) => {
  await using store = makeStore();
  writeFileSync(store.path("agents/storm.json"), content);
  expect(store.mail.agentReport("storm")).toBe(undefined);
});

it("what an agent waits for is one line without terminal control characters", async () => {
  await using store = makeStore();
  store.mail.reportAgent({ ...living, waitingFor: "a\u001b[2J\nb" });
  expect(store.mail.agentReport("storm")?.waitingFor).toBe("a\u{FFFD}[2J b");
});

it("a report that cannot be written causes no failure, and recreates no store", async () => {
  await using store = makeStore();
  expect(store.mail.agentReport("storm")).toBe(undefined);
  rmSync(store.path("agents"), { recursive: true });
  store.mail.reportAgent(living);
  mkdirSync(store.path("agents"));
  expect(store.mail.agentReport("storm")).toBe(undefined);
});
