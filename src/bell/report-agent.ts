/** Reports what a relay knows about its agent and its bell to senders and to the person, whenever it changes. */
import type { Failure } from "../agent/agent-state.ts";
import type { AgentReport, BellReport } from "../mail/records/agent-report.ts";
import type { AgentView } from "./agent-watch.ts";
import type { BellLoopOptions } from "./bell-loop.ts";

interface AgentReporter {
  report(this: void, view: AgentView, bell: BellReport, unread: string[]): void;
  /** Reports the agent's state, with the last report about its bell, if there was one. */
  refresh(this: void, view: AgentView): void;
}

/** During a burst of mail to an agent that cannot be rung, one report per interval is enough: senders can predict it. */
const REPORT_MORE_HELD_MAIL_EVERY_MS = 250;

export function agentReporter({ self, mail, ritualWait, clock: { now } }: BellLoopOptions): AgentReporter {
  const { role, relay, agent, pane } = self;
  let last: { news: string; heard: string | undefined; at: number } | undefined;
  let lastBell = "";
  let told = new Set<string>();
  let lastReport: { bell: BellReport; unread: string[] } | undefined;
  return {
    report,
    refresh(view) {
      if (lastReport) report(view, lastReport.bell, lastReport.unread);
    },
  };

  function report(view: AgentView, bell: BellReport, unread: string[]): void {
    lastReport = { bell, unread };
    const { state, evidence, waitingFor, at } = view;
    const failure = state === "failed" ? describeFailure(view.failure) : undefined;
    const since = new Date(at ?? now()).toISOString();
    const heard = unread.at(-1);
    const toldAt = now();
    const seen = { state, since, evidence, waitingFor, failure };
    const content: AgentReport = { role, relay, agent, ...seen, pane, ritualWait: ritualWait(), bell, heard };
    // A held bell is news because of its reason, not its time.
    const heldBell = bell.state === "held" ? bell.why : bell;
    const news = JSON.stringify({ ...content, since: at, bell: heldBell, heard: undefined });
    const isSoon =
      bell.state === "held" && last !== undefined && toldAt - last.at < REPORT_MORE_HELD_MAIL_EVERY_MS;
    if (news === last?.news && (heard === last.heard || isSoon)) return;
    mail.reportAgent(content);
    last = { news, heard, at: toldAt };
    const bellNews = `${bell.state} ${bell.state === "held" ? `${bell.why} ${heard}` : ""}`;
    if (bellNews === lastBell) return;
    lastBell = bellNews;
    if (bell.state === "held") mail.note({ event: "held", role, why: bell.why, ids: newOf(unread) });
    if (bell.state === "unanswered") {
      mail.note({ event: "unanswered", role, attempt: bell.attempt, ids: unread });
    }
  }

  /**
   * The messages that no held line has named yet. Otherwise each new message would list a thousand waiting ones
   * again.
   */
  function newOf(unread: string[]): string[] {
    const fresh = unread.filter((id) => !told.has(id));
    told = new Set(unread);
    return fresh.length > 0 ? fresh : unread.slice(0, 1);
  }
}

function describeFailure({ error = "unknown", until }: Partial<Failure> = {}): AgentReport["failure"] {
  return { error, ...(until !== undefined && { until: new Date(until).toISOString() }) };
}
