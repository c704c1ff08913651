import { expect, it } from "vitest";
import { type AgentView, agentReporter } from "../../../src/bell/agent-watch.ts";
import type { AgentReport, BellReport } from "../../../src/mail/records/agent-report.ts";
import type { JournalEvent } from "../../../src/mail/journal/journal-entry.ts";

const NOW = Date.UTC(2026, 10, 15);
const at = "2026-11-15T00:00:00.000Z";
const idle: AgentView = { state: "idle", evidence: "hook", at: NOW, lags: false };
const held = (why: "busy" | "draft", moment = at): BellReport => ({ state: "held", why, at: moment });

function world() {
  const reports: AgentReport[] = [];
  const notes: JournalEvent[] = [];
  const clock = { ms: 5_000 };
  const options: any = {
    mail: {
      reportAgent: (each: AgentReport) => reports.push(each),
      note: (each: JournalEvent) => notes.push(each),
    },
    self: { role: "storm", relay: "1-1", agent: "2-2", pane: 3 },
    ritualWait: () => "trust",
    now: () => NOW + clock.ms,
  };
  return {
    reports,
    notes,
    clock,
    report: agentReporter(options.self, options.mail, { talk: () => 0, ...options }, options.now).report,
  };
}

it("what is known is reported with the newest unread message", () => {
  const { reports, report } = world();
  report({ ...idle, state: "asking", waitingFor: "Bash" }, { state: "quiet" }, ["1", "2"]);
  expect(reports).toEqual([
    {
      role: "storm",
      relay: "1-1",
      agent: "2-2",
      pane: 3,
      state: "asking",
      since: at,
      evidence: "hook",
      waitingFor: "Bash",
      ritualWait: "trust",
      bell: { state: "quiet" },
      heard: "2",
    },
  ]);
});

it("a state whose beginning is unknown is reported as beginning now", () => {
  const { reports, report } = world();
  report({ ...idle, at: undefined }, { state: "quiet" }, []);
  expect(reports[0]?.since).toBe("2026-11-15T00:00:05.000Z");
});

it("an unchanged state is not reported again, and a new time of holding is no change", () => {
  const { reports, report, clock } = world();
  report(idle, held("busy"), ["1"]);
  report(idle, held("busy", "2026-11-15T00:01:00.000Z"), ["1"]);
  expect(reports).toHaveLength(1);
  report(idle, held("draft"), ["1"]);
  clock.ms += 250;
  report(idle, held("draft"), ["1", "2"]);
  report({ ...idle, at: NOW + 1 }, held("draft"), ["1", "2"]);
  expect(reports).toHaveLength(4);
});

it("a held bell is recorded once for each reason and message, an unanswered one once", () => {
  const { notes, report, clock } = world();
  report(idle, held("busy"), ["1"]);
  report({ ...idle, at: NOW + 1 }, held("busy"), ["1"]);
  report(idle, held("draft"), ["1"]);
  clock.ms += 250;
  report(idle, held("draft"), ["1", "2"]);
  report(idle, { state: "rung", way: "socket", at, attempt: 1 }, ["1", "2"]);
  report(idle, { state: "unanswered", at, attempt: 7 }, ["1", "2"]);
  report({ ...idle, at: NOW + 1 }, { state: "unanswered", at, attempt: 8 }, ["1", "2"]);
  expect(notes).toEqual([
    { event: "held", role: "storm", why: "busy", ids: ["1"] },
    { event: "held", role: "storm", why: "draft", ids: ["1"] },
    { event: "held", role: "storm", why: "draft", ids: ["2"] },
    { event: "unanswered", role: "storm", attempt: 7, ids: ["1", "2"] },
  ]);
});

it("a failed turn's error is reported with the end of the limit, if known, and only for a failed turn", () => {
  const { reports, report } = world();
  const failure = { error: "rate_limit", until: NOW };
  report({ ...idle, state: "failed", failure }, { state: "quiet" }, []);
  report({ ...idle, state: "failed", failure: { error: "server_error" } }, { state: "quiet" }, []);
  report({ ...idle, state: "failed" }, { state: "quiet" }, []);
  report({ ...idle, failure }, { state: "quiet" }, []);
  expect(reports.map((each) => each.failure)).toEqual([
    { error: "rate_limit", until: at },
    { error: "server_error" },
    { error: "unknown" },
    undefined,
  ]);
});

it("a burst of mail to an agent that cannot be rung is reported four times a second, and nothing is left out", () => {
  const { reports, notes, clock, report } = world();
  const ids: string[] = [];
  for (let number = 100; number < 200; number += 1) {
    ids.push(`${number}`);
    report(idle, held("busy"), [...ids]);
    clock.ms += 10;
  }
  expect(reports).toHaveLength(4);
  clock.ms += 200;
  report(idle, held("busy"), ids);
  expect(reports.at(-1)?.heard).toBe("199");
  expect(notes.flatMap((each) => ("ids" in each ? each.ids : []))).toEqual(ids);
});

it("mail that was rung for is reported at once, however much comes", () => {
  const { reports, report } = world();
  report(idle, { state: "rung", way: "socket", at, attempt: 1 }, ["1"]);
  report(idle, { state: "rung", way: "socket", at, attempt: 1 }, ["1", "2"]);
  expect(reports.map(({ heard }) => heard)).toEqual(["1", "2"]);
});
