/**
 * The bell of one role. The role's own relay runs it, and the relay lives as long as its agent.
 *
 * Every event (new mail, a hook, a timer) leads to one look at the facts, one decision and at most one ring at a time.
 * While the flag is up, more mail does not ring. An unanswered bell is rung again, later each time and by the next way.
 * A ring counts as heard only when a turn is seen to begin. A bell carries short mail (`carried-mail.ts`).
 */
import type { HookCall } from "../agent/hook-call.ts";
import { ROLES, type Role } from "../army/roles.ts";
import type { AgentState, HoldReason, RitualWait, Way } from "../army/words.ts";
import type { Mail } from "../mail/mail.ts";
import type { AgentReport, Presence } from "../mail/records/agent-report.ts";
import type { Header } from "../mail/store/message.ts";
import { oneAtATime } from "../system/async.ts";
import { isProcessAlive, type ProcessIdentity } from "../system/process.ts";
import type { Brake } from "./brake.ts";
import { agentReporter, type AgentView, type AgentWatch, type Self } from "./agent-watch.ts";
import { carryMail } from "./carried-mail.ts";
import { decide, type RingingWay } from "./decide.ts";
import * as rings from "./ring-attempt.ts";
import { makeMark, writeTrigger, type Trigger } from "./trigger.ts";
import type { Unfinished } from "./unfinished.ts";

export interface BellLoopOptions {
  self: Self;
  mail: Mail;
  agent: Pick<AgentWatch, "hear" | "keepsWorking" | "view">;
  unfinished: Unfinished;
  /** The agent receives these messages. */
  wasRead: (messages: readonly Header[]) => void;
  ringing: Ringing;
  brake: Brake;
  isBudgetReached: () => boolean;
  /** What the ritual is waiting for, if it is waiting. */
  ritualWait: () => RitualWait | undefined;
  /** Whether mail is being handed to the agent right now; such mail does not count as unread. */
  isHandingOut: () => boolean;
  clock: {
    /** For durations: not affected by changes to the system clock. */
    now: () => number;
    /** For comparing with times that others wrote down. */
    timeOfDay: () => number;
  };
}

export interface Ringing {
  /** Gentlest first. */
  ways: readonly RingingWay[];
  /** `hasBegun` says whether a turn has been seen to begin. */
  ring: (way: RingingWay, trigger: Trigger, hasBegun: () => boolean) => Promise<rings.RingResult>;
  /** How many times in a row the bell may ring at the end of a turn; 0 turns that off. */
  ringsAtTurnEnd: number;
  /** The word that marks mail carried by a bell as genuine; undefined if bells carry no mail. */
  word: string | undefined;
}

export type BellLoop = ReturnType<typeof runBellLoop>;

export function runBellLoop(options: BellLoopOptions) {
  const { self, mail, agent, ringing, unfinished, brake } = options;
  const { role } = self;
  const { ways, word } = ringing;
  const { now, timeOfDay } = options.clock;
  const { report, refresh } = agentReporter(self, mail, { ...options, talk: () => brake.talk() }, now);
  // Recorded first: a relay that dies in between leaves mail that comes again, and not mail that nobody knows of.
  const onArrival = (messages: readonly Header[]): void => {
    unfinished.wasRead(messages);
    brake.wasRead(messages);
    options.wasRead(messages);
  };
  const carried = carryMail({ role, mail, word, timeOfDay, onArrival });
  const turn = rings.trackTurn(ringing.ringsAtTurnEnd);
  let ring: rings.Ring | undefined;
  /** The last ring that did not seem to succeed: a slow agent may still take its text. */
  let refused: rings.Ring | undefined;
  let refusal: { why: HoldReason; count: number; at: number } | undefined;
  const isInCharge = (): boolean => isEldestRelay(mail.presences(), role, self.relay);
  const isArmyLimited = (): boolean => isLimited(role, (each) => mail.agentReport(each), timeOfDay());
  const unread = (): string[] => {
    const waiting = mail.unread(role, { handedOut: !options.isHandingOut() });
    // Mail that still waits is newer than mail that is already on its way.
    const all = [...carried.ids().filter((id) => !waiting.includes(id)), ...waiting];
    const free = brake.withoutStopped(all);
    return free.length > 0 ? free : all;
  };
  const whyHeldBack = (ids: string[]): HoldReason | undefined => {
    if (options.isBudgetReached()) return "budget";
    return brake.holds(ids) ? "brake" : undefined;
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
    if (view.lags) return;
    if (ring && rings.showsBegin(ring, view)) begin(ring);
    const isOwedDue = ids.length === 0 && unfinished.isDue(view, now());
    if (isOwedDue && !isArmyLimited() && whyHeldBack(ids) === undefined) await ringForUnfinished();
    const decision = decide({
      mail: ids.length === 0 ? "none" : isUrgent(ids) ? "urgent" : "normal",
      agent: view.state,
      turnIsOver: view.turnIsOver ?? false,
      hookBringsUrgent: turn.reportTools(),
      heldBack: whyHeldBack(ids),
      limited: ids.length > 0 && isArmyLimited(),
      bell: rings.bellFact(ring, view, ids, now()),
      ways: rings.waysAfter(ring, ways),
    });
    if (decision.act !== "ring")
      return reportBell(view, decision.act === "hold" ? decision.why : undefined, ids);
    // Ringing may take a while, so the report is brought up to date before it starts.
    refresh(view);
    const isTooSoon = refusal !== undefined && now() - refusal.at < rings.tryAgainAfter(refusal.count);
    const held = isTooSoon ? refusal?.why : await ringBy(decision.way, view, ids);
    const after = agent.view();
    reportBell(held !== undefined || after.lags ? view : after, held, ids);
  }

  /** Reports why the bell is held, or what came of the last ring. */
  function reportBell(view: AgentView, held: HoldReason | undefined, ids: string[]): void {
    const isHeld = held !== undefined && !rings.isUnanswered(ring, view, now());
    const bell = isHeld
      ? ({ state: "held", why: held, at: new Date(now()).toISOString() } as const)
      : rings.reportRing(ring, view, now());
    report(view, bell, ids);
  }

  /** Rings by the chosen way; if that fails and the agent is idle, by the others. Returns why it was not rung, if so. */
  async function ringBy(first: RingingWay, view: AgentView, ids: string[]): Promise<HoldReason | undefined> {
    const before = ring;
    const isIdle = rings.isAtRest(view);
    let why: HoldReason = "no-pane";
    for (const way of [first, ...(isIdle ? ways.filter((each) => each !== first) : [])]) {
      // The flag is raised before mail is claimed: on a full disk there is no flag, and then no ring.
      raise(way);
      const { trigger, load } = compose(way, ids, isIdle);
      const tried = rings.nextRing(before, { trigger, way, at: now(), intoTurn: view.state === "busy", ids });
      ring = tried;
      const result = await tryToRing(way, tried);
      if ("rung" in result) {
        noteRing(tried);
        return undefined;
      }
      why = result.held;
      refused = tried;
      if (load) carried.refused(way);
      // If the mail was read in the meantime, `ring` has already been cleared.
      if (ring === tried) ring = before;
    }
    // A flag without a ring behind it would silence the role for good.
    if (ring === undefined) mail.lowerFlag(role);
    refusal = { why, count: (refusal?.count ?? 0) + 1, at: now() };
    return why;
  }

  /** Rings by the first way that works. The agent has already read this mail: nothing is unread, and no flag is raised. */
  async function ringForUnfinished(): Promise<void> {
    const owed = unfinished.owed();
    const ids = owed.map(({ id }) => id);
    unfinished.rung(now());
    for (const way of ways) {
      const trigger = writeTrigger(owed, { mail: "none", unfinished: true, typed: way === "typing" });
      const tried = rings.nextRing(undefined, { trigger, way, at: now(), intoTurn: false, ids });
      if ("rung" in (await tryToRing(way, tried))) return noteRing(tried);
    }
  }

  /**
   * Who sent mail and about what, and the mail itself if the bell can carry it: if it starts a turn at once, or keeps one
   * going.
   */
  function compose(way: Way, ids: readonly string[], mayCarry: boolean) {
    const headers = mail.headers(role, ids);
    const mark = makeMark();
    const load = mayCarry ? carried.take(headers, ids, way, mark) : undefined;
    // Its agent may see it and then be interrupted: what it says until it is given the same again is about it.
    if (load) options.wasRead(headers);
    const occasion = { unfinished: unfinished.owed().length > 0, typed: way === "typing" };
    if (load === undefined || word === undefined)
      return { trigger: writeTrigger(headers, { ...occasion, mail: "waits" }, mark) };
    const trigger = writeTrigger(headers, { ...occasion, mail: { follows: word } }, mark);
    return { trigger: { ...trigger, text: `${trigger.text} ${load.text}` }, load };
  }

  async function tryToRing(way: RingingWay, tried: rings.Ring): Promise<rings.RingResult> {
    try {
      return await ringing.ring(way, tried.trigger, () => {
        if (rings.showsBegin(tried, agent.view())) begin(tried);
        return tried.begun;
      });
    } catch {
      return { held: way === "socket" ? "socket-refused" : "zellij-failed" };
    }
  }

  function raise(way: Way): void {
    const note = { by: role, ringer: self.relay, way };
    if (!mail.raiseFlag(role, note)) mail.renewFlag(role, note);
  }

  /** Each ring is noted once: a turn may be seen to begin before the way of ringing has reported success. */
  function noteRing(rung: rings.Ring): void {
    refusal = undefined;
    const { way, attempt, ids } = rung;
    if (!rung.noted) mail.note({ event: "rung", role, way, attempt, ids });
    rung.noted = true;
  }

  function begin(begun: rings.Ring): void {
    begun.begun = true;
    noteRing(begun);
    mail.note({ event: "begun", role, way: begun.way, ids: begun.ids });
  }

  function forget(): void {
    ring = undefined;
    refusal = undefined;
  }

  /** Returns what a running turn gets with the answer to this hook, if it is rung. */
  function ringByHook(call: HookCall) {
    const ringable = (): string[] => {
      const ids = unread();
      return whyHeldBack(ids) === undefined ? ids : [];
    };
    if (!turn.hear(call, ring, { unread: ringable, isUrgent }, now()) || !isInCharge()) return undefined;
    try {
      raise("hook");
    } catch {
      // On a full disk the turn goes on; the agent is rung when there is room again.
      return undefined;
    }
    const isAtEnd = call.event === "turn-ended";
    const ids = unread();
    const before = ring;
    const { trigger, load } = compose("hook", ids, true);
    const attempt = { trigger, way: "hook", at: now(), intoTurn: true, ids } as const;
    const rung = isAtEnd ? rings.nextRing(before, attempt) : rings.ringInTurn(before, attempt);
    ring = rung;
    noteRing(rung);
    if (isAtEnd) agent.keepsWorking();
    return {
      text: trigger.text,
      /** The agent has discarded the answer: its mail stays unread, and the agent has not been rung. */
      takeBack(): void {
        load?.takeBack();
        if (ring === rung) ring = before;
        if (isAtEnd) agent.hear(call);
        lookAgain();
      },
    };
  }

  const looks = keepLooking(lookOnce, () => {
    const hasMail = ring !== undefined || unread().length > 0 || unfinished.owed().length > 0;
    return nextLookAfter(agent.view(), hasMail);
  });
  const lookAgain = (): void => void setImmediate(looks.look);
  const watch = mail.watchInbox(role, looks.look, { rescanMs: 2_000 });
  lookAgain();
  return {
    /** Takes a hook's report; returns what to answer the hook with, if anything. */
    hear(call: HookCall) {
      const wasAtRest = rings.isAtRest(agent.view());
      agent.hear(call);
      const heard = [ring, refused].find((each) => each && !each.begun && rings.answers(each, call));
      if (heard) begin(heard);
      carried.hear(call);
      unfinished.hear(call, wasAtRest, now());
      brake.hear(call);
      if (call.event === "turn-failed") {
        const ids = unfinished.owed().map(({ id }) => id);
        mail.note({ event: "failed", role, error: call.failure?.error ?? "unknown", ids });
      }
      const answer = ringByHook(call);
      lookAgain();
      return answer;
    },
    /** The agent has asked for its mail, and these messages are being handed over. */
    wasAsked(messages: readonly Header[]): void {
      carried.drop();
      onArrival(messages);
      if (ring && !ring.begun) begin(ring);
      forget();
      lookAgain();
    },
    lookAgain,
    /** Whether there is mail that the agent has not received, and that will wake it. */
    hasUnread(): boolean {
      const ids = unread();
      return ids.length > 0 && !brake.holds(ids);
    },
    close(): void {
      looks.close();
      watch.close();
    },
  };
}

/**
 * Runs one look at a time: when requested, and again after `nextAfter` milliseconds, if there should be another look
 * then.
 */
export function keepLooking(lookOnce: () => Promise<void>, nextAfter: () => number | undefined) {
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  const look = oneAtATime(async () => {
    clearTimeout(timer);
    // The store may have been removed together with its session; then nothing is left to look at.
    if (!isClosed) await lookOnce().catch(() => {});
    // If this fails, the next event or rescan leads to a look.
    const after = isClosed ? undefined : nextAfter();
    if (after !== undefined) timer = setTimeout(look, after).unref();
  });
  return {
    look,
    close(): void {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}

const WHILE_REGISTRY_LAGS_MS = 25;
/** While mail waits, the registry and the clock are checked this often. */
const WHILE_MAIL_WAITS_MS = 200;
/** Only the registry shows that a turn was interrupted or a question answered. */
const IN_STATE_MS: Partial<Record<AgentState, number>> = { starting: 200, busy: 250, asking: 250 };

/** Undefined if the next event, or the regular rescan of the inbox, is soon enough. */
export function nextLookAfter({ state, lags }: AgentView, hasMail: boolean): number | undefined {
  if (lags) return WHILE_REGISTRY_LAGS_MS;
  return hasMail ? WHILE_MAIL_WAITS_MS : IN_STATE_MS[state];
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
