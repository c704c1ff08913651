/**
 * What the relay knows about its own agent, and reports of it: hooks report events as they happen, and the registry is
 * read on request.
 */
import { judgeState, stateAfter, type Failure, type Judgement, type Sighting } from "../agent/agent-state.ts";
import type { HookCall } from "../agent/hook-call.ts";
import type { Role } from "../army/roles.ts";
import type { AgentState, RitualWait } from "../army/words.ts";
import type { Mail } from "../mail/mail.ts";
import type { AgentReport, BellReport } from "../mail/records/agent-report.ts";
import type { ProcessIdentity } from "../system/process.ts";

export interface AgentView extends Omit<Judgement, "state"> {
  state: AgentState;
  /** Neither a hook nor the registry has reported anything so far. */
  silent: boolean;
}

export interface AgentWatch {
  hear(call: HookCall): void;
  /** The agent's state, whether or not it has received its ritual. */
  judge(): Judgement;
  /** When the agent last began a turn; 0 if it never did. */
  promptedAt(): number;
  /** The turn continues although a hook announced its end. */
  keepsWorking(): void;
  view(): AgentView;
}

interface Senses {
  registry: () => Sighting | undefined;
  /** While true, the agent must not be rung: its ritual comes first. */
  awaitsRitual: () => boolean;
  now: () => number;
}

/** After a relay has listed its tools, the model needs a moment before it can use them. */
const TOOLS_LISTED_SETTLE_MS = 300;

/** Longer than an agent program's registry ever lagged behind its hooks. */
export const LONGEST_LAG_MS = 1_000;

export function watchAgent({ registry, awaitsRitual, now }: Senses): AgentWatch {
  const began = now();
  let hook: Sighting | undefined;
  let promptedAt = 0;
  /** Since when hooks and registry have disagreed. */
  let differSince: number | undefined;
  const isStarting = (): boolean => now() - began < TOOLS_LISTED_SETTLE_MS || awaitsRitual();
  function judge(registered: Sighting | undefined): Judgement {
    const judgement = judgeState(hook, registered);
    differSince = judgement.state === "unknown" ? (differSince ?? now()) : undefined;
    const mayLag = differSince === undefined || now() - differSince < LONGEST_LAG_MS;
    return mayLag ? judgement : judgeState(hook, registered, mayLag);
  }
  return {
    judge: () => judge(registry()),
    promptedAt() {
      const registered = registry();
      return Math.max(promptedAt, registered?.state === "busy" ? registered.at : 0);
    },
    hear({ event, tool, failure, lost }) {
      // A conversation may be compacted at rest, after a failed turn or in the middle of one, and none of that ends.
      if (lost === "compacted") return;
      if (event === "prompted") promptedAt = now();
      const state = stateAfter(event);
      // A prompt starts a new turn; any other event with the same state only confirms it.
      const isNew = state !== hook?.state || event === "prompted";
      const since = isNew ? { at: now() } : { at: hook?.at ?? now(), saidAgainAt: now() };
      hook = { state, ...since, ...(state === "asking" && tool !== "" && { waitingFor: tool }), failure };
    },
    keepsWorking() {
      hook = { state: "busy", at: now() };
    },
    view() {
      const registered = registry();
      const judgement = judge(registered);
      const silent = hook === undefined && registered === undefined;
      if (isStarting()) return { ...judgement, state: "starting", silent };
      return { ...judgement, silent };
    },
  };
}

/** For durations: it starts at the time of day and only moves forward, even if the system clock is changed. */
interface SteadyClock {
  now: () => number;
  /** Converts a time that was written down by the system clock to this clock; never later than now. */
  at: (moment: number) => number;
}

export function startSteadyClock(wall = Date.now, elapsed = (): number => performance.now()): SteadyClock {
  const began = wall() - elapsed();
  const now = (): number => began + elapsed();
  let last: { moment: number; at: number } | undefined;
  return {
    now,
    at(moment) {
      // The same time always maps to the same result, even if the system clock was changed in between.
      if (last?.moment !== moment) last = { moment, at: now() - Math.max(0, wall() - moment) };
      return last.at;
    },
  };
}

/** A relay's role, its own process, its agent's, and their pane. */
export interface Self {
  role: Role;
  relay: ProcessIdentity;
  agent: ProcessIdentity | undefined;
  pane: number | undefined;
}

interface Reporting {
  self: Self;
  mail: Mail;
  ritualWait: () => RitualWait | undefined;
  now: () => number;
}

interface AgentReporter {
  report(this: void, view: AgentView, bell: BellReport, unread: string[]): void;
  /** Reports the agent's state, with the last report about its bell, if there was one. */
  refresh(this: void, view: AgentView): void;
}

/** During a burst of mail to an agent that cannot be rung, one report per interval is enough: senders can predict it. */
const REPORT_MORE_HELD_MAIL_EVERY_MS = 250;

/** Reports what is known about an agent and its bell to senders and to the person, whenever it changes. */
export function agentReporter({ self, mail, ritualWait, now }: Reporting): AgentReporter {
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
