/**
 * What the relay knows about its own agent, and reports of it: hooks report events as they happen, and the registry is
 * read on request.
 */
import { judgeState, type Judgement, type Sighting } from "../agent/agent-state.ts";
import { STATE_AFTER, type HookCall } from "../agent/hook-call.ts";
import type { Role } from "../army/roles.ts";
import type { AgentState, RitualWait } from "../army/words.ts";
import type { Mail } from "../mail/mail.ts";
import type { AgentReport, BellReport } from "../mail/records/agent-report.ts";
import type { ProcessIdentity } from "../system/process.ts";

export interface AgentView extends Omit<Judgement, "state"> {
  state: AgentState;
  /** After each change, the registry lags briefly behind the hooks. Nothing is decided or reported until it catches up. */
  lags: boolean;
}

export type AgentWatch = ReturnType<typeof watchAgent>;

interface Senses {
  registry: () => Sighting | undefined;
  /** While true, the agent must not be rung: its ritual comes first. */
  awaitsRitual: () => boolean;
  now: () => number;
}

/** After a relay has listed its tools, the model needs a moment before it can use them. */
const TOOLS_LISTED_SETTLE_MS = 300;

/** Longer than an agent program's registry ever lagged behind its hooks. */
const LONGEST_LAG_MS = 1_000;

export function watchAgent({ registry, awaitsRitual, now }: Senses) {
  const began = now();
  let hook: Sighting | undefined;
  let promptedAt = 0;
  /** Since when hooks and registry have disagreed. */
  let differSince: number | undefined;
  /** The agent's state, whether or not it has received its ritual. */
  function judge(): Judgement & Pick<AgentView, "lags"> {
    const registered = registry();
    const judgement = judgeState(hook, registered);
    const differ = judgement.state === "unknown" && hook !== undefined && registered !== undefined;
    differSince = differ ? (differSince ?? now()) : undefined;
    const lags = differSince !== undefined && now() - differSince < LONGEST_LAG_MS;
    return { ...(differ && !lags ? judgeState(hook, registered, false) : judgement), lags };
  }
  return {
    judge,
    /** When the agent last began a turn; 0 if it never did. */
    promptedAt(): number {
      const registered = registry();
      return Math.max(promptedAt, registered?.state === "busy" ? registered.at : 0);
    },
    hear({ event, tool, failure, lost }: HookCall): void {
      // A conversation may be compacted at rest, after a failed turn or in the middle of one, and none of that ends.
      if (lost === "compacted") return;
      if (event === "prompted") promptedAt = now();
      const state = STATE_AFTER[event];
      // A prompt starts a new turn; any other event with the same state only confirms it.
      const isNew = state !== hook?.state || event === "prompted";
      const since = isNew ? { at: now() } : { at: hook?.at ?? now(), saidAgainAt: now() };
      hook = { state, ...since, ...(state === "asking" && tool !== "" && { waitingFor: tool }), failure };
    },
    /** The turn continues although a hook announced its end. */
    keepsWorking(): void {
      hook = { state: "busy", at: now() };
    },
    view(): AgentView {
      const judgement = judge();
      const isStarting = now() - began < TOOLS_LISTED_SETTLE_MS || awaitsRitual();
      return isStarting ? { ...judgement, state: "starting", lags: false } : judgement;
    },
  };
}

/** For durations: it starts at the time of day and only moves forward, even if the system clock is changed. */
export function startSteadyClock(wall = Date.now, elapsed = (): number => performance.now()) {
  const began = wall() - elapsed();
  const now = (): number => began + elapsed();
  let last: { moment: number; at: number } | undefined;
  return {
    now,
    /** Converts a time that was written down by the system clock to this clock; never later than now. */
    at(moment: number): number {
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

/** During a burst of mail to an agent that cannot be rung, one report per interval is enough: senders can predict it. */
const REPORT_MORE_HELD_MAIL_EVERY_MS = 250;

/** Reports what is known about an agent and its bell to senders and to the person, whenever it changes. */
export function agentReporter(
  self: Self,
  mail: Mail,
  { ritualWait, talk }: { ritualWait: () => RitualWait | undefined; talk: () => number },
  now: () => number,
) {
  const { role } = self;
  let last: { news: string; at: number; bell: BellReport; unread: string[] } | undefined;
  let noted = "";
  let named = new Set<string>();

  function report(view: AgentView, bell: BellReport, unread: string[]): void {
    const { state, evidence, waitingFor, at } = view;
    const { error = "unknown", until } = view.failure ?? {};
    const failure = { error, ...(until !== undefined && { until: new Date(until).toISOString() }) };
    const heard = unread.at(-1);
    const content: AgentReport = {
      ...self,
      state,
      evidence,
      waitingFor,
      bell,
      heard,
      since: new Date(at ?? now()).toISOString(),
      failure: state === "failed" ? failure : undefined,
      ritualWait: ritualWait(),
      talk: talk() || undefined,
    };
    // A held bell is news because of its reason, not its time.
    const heldBell = bell.state === "held" ? bell.why : bell;
    const news = JSON.stringify({ ...content, since: at, bell: heldBell, heard: undefined });
    const isSoon = bell.state === "held" && last && now() - last.at < REPORT_MORE_HELD_MAIL_EVERY_MS;
    if (news === last?.news && (heard === last.unread.at(-1) || isSoon)) return;
    mail.reportAgent(content);
    last = { news, at: now(), bell, unread };
    note(bell, unread);
  }

  function note(bell: BellReport, unread: string[]): void {
    const news = bell.state === "held" ? `held ${bell.why} ${unread.at(-1)}` : bell.state;
    if (news === noted) return;
    noted = news;
    if (bell.state === "held") mail.note({ event: "held", role, why: bell.why, ids: unnamed(unread) });
    if (bell.state === "unanswered") {
      mail.note({ event: "unanswered", role, attempt: bell.attempt, ids: unread });
    }
  }

  /** What no held line has named yet. Otherwise each new message would list a thousand waiting ones again. */
  function unnamed(unread: string[]): string[] {
    const fresh = unread.filter((id) => !named.has(id));
    named = new Set(unread);
    return fresh.length > 0 ? fresh : unread.slice(0, 1);
  }

  return {
    report,
    /** Reports the agent's state, with the last report about its bell, if there was one. */
    refresh(this: void, view: AgentView): void {
      if (last) report(view, last.bell, last.unread);
    },
  };
}
