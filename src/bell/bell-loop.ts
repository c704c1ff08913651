/**
 * The bell of one role. The role's own relay runs it, and the relay lives as long as its agent.
 *
 * Every event (new mail, a hook, a timer) leads to one look at the facts, one decision and at most one ring at a time.
 * While the flag is up, more mail does not ring. An unanswered bell is rung again, later each time and by the next way.
 * A ring counts as heard only when a turn is seen to begin. A bell carries short mail (`carried-mail.ts`).
 */
import type { HookCall } from "../agent/hook-call.ts";
import { ROLES, type Role } from "../army/roles.ts";
import type { HoldReason, RitualWait, Way } from "../army/words.ts";
import type { Mail } from "../mail/mail.ts";
import type { AgentReport } from "../mail/records/agent-report.ts";
import type { Presence } from "../mail/records/presence.ts";
import { isProcessAlive, type ProcessIdentity } from "../system/process.ts";
import { agentReporter, type AgentView, type AgentWatch, type Self } from "./agent-watch.ts";
import { carryMail } from "./carried-mail.ts";
import { decide, type RingingWay } from "./decide.ts";
import {
  answers,
  bellFact,
  isAtRest,
  isUnanswered,
  nextRing,
  reportRing,
  ringInTurn,
  showsBegin,
  trackTurn,
  waysAfter,
  type HookRing,
  type Ring,
  type RingResult,
} from "./ring-attempt.ts";
import { keepLooking, nextLookAfter, tryAgainAfter, watchLag } from "./schedule.ts";
import { writeTrigger, type Call } from "./trigger.ts";
import { ringForUnfinished, trackUnfinished, type ReadMessage, type UnfinishedRecord } from "./unfinished.ts";

export interface BellLoopOptions {
  self: Self;
  mail: Mail;
  agent: Pick<AgentWatch, "hear" | "keepsWorking" | "view">;
  /** What the agent owes, on record. */
  unfinished: UnfinishedRecord;
  ringing: Ringing;
  /** What the ritual is waiting for, if it is waiting. */
  ritualWait: () => RitualWait | undefined;
  /** Whether mail is being handed to the agent right now; such mail does not count as unread. */
  isHandingOut: () => boolean;
  clock: Clock;
}

/** How an agent can be rung. */
export interface Ringing {
  /** Gentlest first. */
  ways: readonly RingingWay[];
  /** `hasBegun` says whether a turn has been seen to begin. */
  ring: (way: RingingWay, call: Call, hasBegun: () => boolean) => Promise<RingResult>;
  /** How many times in a row the bell may ring at the end of a turn; 0 turns that off. */
  ringsAtTurnEnd: number;
  /** The word that marks mail carried by a bell as genuine; undefined if bells carry no mail. */
  word: string | undefined;
}

interface Clock {
  /** For durations: not affected by changes to the system clock. */
  now: () => number;
  /** For comparing with times that others wrote down. */
  timeOfDay: () => number;
}

export interface BellLoop {
  /** Takes a hook's report; returns what to answer the hook with, if anything. */
  hear(call: HookCall): HookRing | undefined;
  /** The agent has asked for its mail, and these messages are being handed over. */
  wasAsked(messages: readonly ReadMessage[]): void;
  lookAgain(): void;
  close(): void;
}

export function runBellLoop(options: BellLoopOptions): BellLoop {
  const { self, mail, agent, ringing } = options;
  const { role } = self;
  const { now, timeOfDay } = options.clock;
  const { report, refresh } = agentReporter({ ...options, now });
  const unfinished = trackUnfinished(options.unfinished, now());
  // Recorded first: a relay that dies in between leaves mail that comes again, and not mail that nobody knows of.
  const carried = carryMail({
    role,
    mail,
    word: ringing.word,
    timeOfDay,
    onArrival: (messages) => unfinished.wasRead(messages),
  });
  const isLagging = watchLag(now);
  let ring: Ring | undefined;
  /** The last ring that did not seem to succeed: a slow agent may still take its text. */
  let refused: Ring | undefined;
  let refusal: { why: HoldReason; count: number; at: number } | undefined;
  const turn = trackTurn(ringing.ringsAtTurnEnd);
  const isInCharge = (): boolean => isEldestRelay(mail.presences(), role, self.relay);
  const isArmyLimited = (): boolean => isLimited(role, (each) => mail.agentReport(each), timeOfDay());
  const unread = (): string[] => {
    const waiting = mail.unread(role, { handedOut: !options.isHandingOut() });
    const onTheirWay = carried.ids().filter((id) => !waiting.includes(id));
    // Mail that still waits is newer than mail that is already on its way.
    return onTheirWay.length === 0 ? waiting : [...onTheirWay, ...waiting];
  };
  const isUrgent = (ids: string[]): boolean =>
    mail.headers(role, ids).some(({ priority }) => priority === "urgent");

  async function lookOnce(): Promise<void> {
    if (!isInCharge()) return;
    const ids = unread();
    if (ids.length === 0) forget();
    // A refused ring has no flag either, but `refusal` stays: it still delays the next attempt.
    else if (mail.flag(role) === undefined) ring = undefined;
    const view = agent.view();
    if (isLagging(view)) return;
    if (ring && showsBegin(ring, view)) begin(ring);
    if (ids.length === 0 && unfinished.isDue(view, now())) await wakeForUnfinished();
    const decision = decide({
      mail: ids.length === 0 ? "none" : isUrgent(ids) ? "urgent" : "normal",
      agent: view.state,
      turnIsOver: view.turnIsOver ?? false,
      hookBringsUrgent: turn.reportTools(),
      limited: ids.length > 0 && isArmyLimited(),
      bell: bellFact(ring, view, ids, now()),
      ways: waysAfter(ring, ringing.ways),
    });
    if (decision.act === "nothing") return report(view, reportRing(ring, view, now()), ids);
    if (decision.act === "hold") return hold(view, decision.why, ids);
    // Ringing may take a while, so the report is brought up to date before it starts.
    refresh(view);
    const result = isTooSoon() && refusal ? { held: refusal.why } : await ringBy(decision.way, view, ids);
    const after = agent.view();
    if ("held" in result) hold(view, result.held, ids);
    else report(isLagging(after) ? view : after, reportRing(ring, after, now()), ids);
  }

  /** Rings by the chosen way; if that fails and the agent is idle, by the others. */
  async function ringBy(first: RingingWay, view: AgentView, ids: string[]): Promise<RingResult> {
    const before = ring;
    let why: HoldReason | undefined;
    for (const way of [first, ...ringing.ways.filter((each) => each !== first)]) {
      if (why !== undefined && !isAtRest(view)) break;
      // The flag is raised before mail is claimed: on a full disk there is no flag, and then no ring.
      raise(way);
      const call = compose(way, ids, isAtRest(view));
      const intoTurn = view.state === "busy";
      const tried = nextRing(before, { trigger: call.trigger, way, at: now(), intoTurn, ids });
      ring = tried;
      const result = await tryToRing(way, call, tried);
      if ("rung" in result) {
        noteRing(tried);
        return result;
      }
      why = result.held;
      refused = tried;
      if (call.text !== call.trigger.text) carried.refused(way);
      // If the mail was read in the meantime, `ring` has already been cleared.
      if (ring === tried) ring = before;
    }
    // A flag without a ring behind it would silence the role for good.
    if (ring === undefined) mail.lowerFlag(role);
    why ??= "no-pane";
    refusal = { why, count: (refusal?.count ?? 0) + 1, at: now() };
    return { held: why };
  }

  /**
   * Who sent mail and about what, and the mail itself if the bell can carry it: if it starts a turn at once, or keeps one
   * going.
   */
  function compose(way: Way, ids: readonly string[], mayCarry: boolean): Call & { takeBack: () => void } {
    const headers = mail.headers(role, ids);
    const load = mayCarry ? carried.take(headers, ids, way) : undefined;
    const trigger = writeTrigger(headers, {
      mail: ringing.word !== undefined && load ? { follows: ringing.word } : "waits",
      unfinished: unfinished.owed().length > 0,
      typed: way === "typing",
    });
    load?.goesWith(trigger.mark);
    const text = load ? `${trigger.text} ${load.text}` : trigger.text;
    return { trigger, text, takeBack: () => load?.takeBack() };
  }

  async function tryToRing(way: RingingWay, call: Call, tried: Ring): Promise<RingResult> {
    try {
      return await ringing.ring(way, call, () => {
        if (showsBegin(tried, agent.view())) begin(tried);
        return tried.begun;
      });
    } catch {
      return { held: way === "socket" ? "socket-refused" : "zellij-failed" };
    }
  }

  async function wakeForUnfinished(): Promise<void> {
    const rung = isArmyLimited()
      ? undefined
      : await ringForUnfinished(unfinished, ringing.ways, now, tryToRing);
    if (rung) noteRing(rung);
  }

  function raise(way: Way): void {
    const note = { by: role, ringer: self.relay, way };
    if (!mail.raiseFlag(role, note)) mail.renewFlag(role, note);
  }

  /** Each ring is noted once: a turn may be seen to begin before the way of ringing has reported success. */
  function noteRing(rung: Ring): void {
    refusal = undefined;
    const { way, attempt, ids } = rung;
    if (!rung.noted) mail.note({ event: "rung", role, way, attempt, ids });
    rung.noted = true;
  }

  function begin(begun: Ring): void {
    begun.begun = true;
    noteRing(begun);
    mail.note({ event: "begun", role, way: begun.way, ids: begun.ids });
  }

  function noteFailure({ failure }: HookCall): void {
    const ids = unfinished.owed().map(({ id }) => id);
    mail.note({ event: "failed", role, error: failure?.error ?? "unknown", ids });
  }

  function forget(): void {
    ring = undefined;
    refusal = undefined;
  }

  function isTooSoon(): boolean {
    return refusal !== undefined && now() - refusal.at < tryAgainAfter(refusal.count);
  }

  function hold(view: AgentView, why: HoldReason, ids: string[]): void {
    const held = { state: "held", why, at: new Date(now()).toISOString() } as const;
    report(view, isUnanswered(ring, view, now()) ? reportRing(ring, view, now()) : held, ids);
  }

  /** Returns what a running turn gets with the answer to this hook, if it is rung. */
  function ringByHook(call: HookCall): HookRing | undefined {
    if (!turn.hear(call, ring, { unread, isUrgent }, now()) || !isInCharge()) return undefined;
    try {
      raise("hook");
    } catch {
      // On a full disk the turn goes on; the agent is rung when there is room again.
      return undefined;
    }
    const isAtEnd = call.event === "turn-ended";
    const ids = unread();
    const before = ring;
    const { trigger, text, takeBack } = compose("hook", ids, true);
    const attempt = { trigger, way: "hook", at: now(), intoTurn: true, ids } as const;
    const rung = isAtEnd ? nextRing(before, attempt) : ringInTurn(before, attempt);
    ring = rung;
    noteRing(rung);
    if (isAtEnd) agent.keepsWorking();
    return {
      text,
      takeBack() {
        takeBack();
        if (ring === rung) ring = before;
        if (isAtEnd) agent.hear(call);
        setImmediate(looks.look);
      },
    };
  }

  const looks = keepLooking(lookOnce, () => {
    const view = agent.view();
    const hasMail = ring !== undefined || unread().length > 0 || unfinished.owed().length > 0;
    return nextLookAfter(view, hasMail || view.state === "starting", isLagging(view));
  });
  const watch = mail.watchInbox(role, looks.look, { rescanMs: 2_000 });
  setImmediate(looks.look);
  return {
    hear(call) {
      const wasAtRest = isAtRest(agent.view());
      agent.hear(call);
      const heard = [ring, refused].find((each) => each && !each.begun && answers(each, call));
      if (heard) begin(heard);
      carried.hear(call);
      unfinished.hear(call, wasAtRest, now());
      if (call.event === "turn-failed") noteFailure(call);
      const answer = ringByHook(call);
      setImmediate(looks.look);
      return answer;
    },
    wasAsked(messages) {
      carried.drop();
      unfinished.wasRead(messages);
      if (ring && !ring.begun) begin(ring);
      forget();
      setImmediate(looks.look);
    },
    lookAgain: () => void setImmediate(looks.look),
    close() {
      looks.close();
      watch.close();
    },
  };
}

/** The agents share one account, so they resume one after another rather than hitting the limit together again. */
const BETWEEN_ROLES_AFTER_LIMIT_MS = 5_000;

/**
 * Whether a usage limit that one agent hit still keeps this role from being rung.
 *
 * Once an agent has ended a turn well, an earlier limit no longer counts: the person may have changed the plan or the
 * account.
 */
export function isLimited(
  role: Role,
  reportOf: (role: Role) => AgentReport | undefined,
  now: number,
): boolean {
  const reports = ROLES.flatMap((each) => reportOf(each) ?? []);
  const isLifted = ({ since }: AgentReport): boolean =>
    reports.some((other) => other.state === "idle" && other.evidence === "hook" && other.since > since);
  return reports.some((report) => {
    const until = report.state === "failed" ? report.failure?.until : undefined;
    if (until === undefined || isLifted(report)) return false;
    return now < Date.parse(until) + ROLES.indexOf(role) * BETWEEN_ROLES_AFTER_LIMIT_MS;
  });
}

/** If a role has several live relays, only the eldest rings and reports. */
export function isEldestRelay(
  presences: readonly Presence[],
  role: Role,
  relay: ProcessIdentity,
  isAlive: (identity: ProcessIdentity) => boolean = isProcessAlive,
): boolean {
  const own = presences.find((each) => each.relay === relay);
  const elders = presences.filter(
    (each) => each.role === role && each.relay !== relay && (!own || age(each) < age(own)),
  );
  return !elders.some((each) => isAlive(each.relay));
}

function age({ since = "", relay }: Presence): string {
  return `${since} ${relay}`;
}
