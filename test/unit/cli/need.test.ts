import { expect, it } from "vitest";
import type { ArmyView, RoleView } from "../../../src/view/describe-army.ts";
import { formatStatus } from "../../../src/cli/commands/status/format-status.ts";
import type { Language } from "../../../src/army/words.ts";
import { COMMAND } from "../../support/requests.ts";
import { TEXTS } from "../../support/texts.ts";

const quiet: RoleView = {
  role: "glacier",
  tab: "support",
  tabNumber: 3,
  pane: 3,
  agent: { state: "idle", since: null, evidence: "hook", waitingFor: null },
  requests: [],
  isCutOff: false,
  ritual: null,
  stalled: [],
  status: "idle",
  task: "",
  updated: null,
  waitsFor: null,
  question: null,
  hasAnswer: false,
  unread: 0,
  oldest: null,
  bell: { state: "quiet" },
  braked: null,
  away: null,
};

function needsIn(view: Partial<RoleView>, language: Language): string | undefined {
  return statusOf(view, language)
    .split("\n")
    .find((line) => line.includes("→"));
}

function statusOf(view: Partial<RoleView>, language: Language): string {
  const army: ArmyView = {
    budget: null,
    session: "overlord",
    relayDir: "/relay",
    folder: null,
    agent: null,
    summoned: null,
    state: "live",
    trouble: null,
    inbox: { unread: 0, letters: [] },
    roles: [{ ...quiet, ...view }],
    machines: null,
    work: null,
  };
  const look = {
    texts: TEXTS[language],
    paint: (_: unknown, text: string) => text,
    columns: undefined,
    now: 0,
    within: "overlord",
  };
  return formatStatus(army, look);
}

const failedBy = (error: string, until?: string): Partial<RoleView> => ({
  agent: { ...quiet.agent, state: "failed", failure: { error, ...(until !== undefined && { until }) } },
});

it("a failed turn needs the person, with its reason and where to go", () => {
  expect(needsIn({}, "en")).toBeUndefined();
  expect(needsIn(failedBy("authentication_failed"), "en")).toBe(
    "  glacier's last turn failed: it is not logged in; type /login in its pane  →  Ctrl-t 3 (tab support)",
  );
  expect(needsIn(failedBy("authentication_failed"), "ja")).toContain("ペインで /login を実行してください");
  expect(needsIn(failedBy("something_new"), "en")).toContain("the error is something_new");
});

it("a usage limit is shown with the time at which it ends", () => {
  const until = new Date(2026, 10, 15, 15, 5).toISOString();
  expect(needsIn(failedBy("rate_limit", until), "en")).toContain(
    "a usage limit is reached until 11-15 15:05",
  );
  expect(needsIn(failedBy("rate_limit", until), "ja")).toContain("利用上限に達しました（11-15 15:05 まで）");
});

it("mail that is held because the session cannot be reached needs the person", () => {
  const held = { state: "held", why: "session-gone", at: "2026-11-15T12:00:00.000Z" } as const;
  expect(needsIn({ bell: held, unread: 1 }, "en")).toContain(
    "glacier cannot be woken for its mail: its Zellij session is gone",
  );
});

it("what an agent asks is shown with its words, and with the command that answers it outside the pane", () => {
  const agent = { ...quiet.agent, state: "asking" as const, waitingFor: "Bash" };
  const request = {
    id: "0mwhgow9k000-ij3jyo",
    role: "glacier" as const,
    relay: "1-1" as const,
    since: "",
    tool: "Bash",
  };
  const asks = { ...request, ...COMMAND };
  expect(needsIn({ agent, requests: [asks] }, "en")).toBe(
    "  glacier is asking you: Bash: touch it  →  ovld answer glacier",
  );
  expect(needsIn({ agent }, "en")).toContain("glacier is asking you: Bash  →  Ctrl-t 3");
  const large = { ...request, kind: "oversized" as const, bytes: 2_000_000 };
  expect(needsIn({ agent, requests: [large] }, "en")).toContain("→  Ctrl-t 3");
});

const QUESTION = {
  id: "0mwhgow9k000-ij3jyo",
  from: "glacier" as const,
  subject: "Which port?",
  body: "8080 or \u202e9090?",
  priority: "normal" as const,
  timestamp: "2026-11-15T12:00:00.000Z",
};

it("a role that waits for the person is a question with its text, until they have written; for others it is no need", () => {
  const blocked = { status: "blocked", task: "the server", updated: "2026-11-15T12:00:00.000Z" } as const;
  const asks = { ...blocked, waitsFor: "human", question: QUESTION } as const;
  expect(needsIn(asks, "en")).toBe(
    '  glacier asks you and waits: Which port?: 8080 or \u{FFFD}9090?  →  ovld reply 0mwhgow9k000-ij3jyo "…"',
  );
  expect(needsIn({ ...asks, question: null }, "ja")).toContain("返事を待っています: the server");
  expect(needsIn({ ...asks, hasAnswer: true }, "en")).toBeUndefined();
  expect(needsIn({ ...blocked, waitsFor: "inferno" }, "en")).toBeUndefined();
  expect(needsIn(blocked, "en")).toBeUndefined();
  expect(needsIn({ ...blocked, role: "overlord" }, "en")).toContain(
    "overlord says it is blocked: the server",
  );
});

it("a role on another machine that waits for the person's answer is a need where the person's mail is", () => {
  const away = { machine: "north", heard: null, isSilent: false };
  const said = { status: "blocked", waitsFor: "human", away, tab: null, tabNumber: null } as const;
  expect(needsIn({ ...said, question: QUESTION }, "en")).toContain("glacier asks you and waits");
  expect(needsIn(said, "en")).toBeUndefined();
});

it("an order of the person that an agent stopped working on needs them; of another role's, status says who has been told", () => {
  const order = { id: "0mwhgow9k000-ij3jyo", subject: "the gate" };
  expect(needsIn({ stalled: [{ ...order, from: "human" }] }, "en")).toBe(
    "  glacier stopped and did not answer you about: the gate  →  Ctrl-t 3 (tab support)",
  );
  const others: Partial<RoleView> = { stalled: [{ ...order, from: "strategist" }] };
  expect(needsIn(others, "en")).toBeUndefined();
  expect(statusOf(others, "en")).toContain(
    "without a word to strategist about: the gate. strategist has been",
  );
  expect(statusOf(others, "ja")).toContain("strategist には知らせました");
});
