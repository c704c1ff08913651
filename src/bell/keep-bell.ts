/**
 * The bell of one role, kept by its own relay, whose life is the agent's life.
 *
 * Whatever happens (mail comes, a hook speaks, time passes) leads to one look at the facts, one decision and at most
 * one ring at a time. While the flag stands, more mail does not ring again; a bell nobody answered is rung again,
 * slower each time and by the next way. A ring is believed only when a turn is seen to begin.
 */
import type { Role } from "../army/roles.ts";
import type { HoldReason, Way } from "../mail/agent-report.ts";
import type { RitualWait } from "../mail/agent-report.ts";
import type { Mail } from "../mail/mail.ts";
import { isProcessAlive } from "../system/process-identity.ts";
import type { AgentView, AgentWatch, HookCall } from "./agent-watch.ts";
import { decide, type RingingWay } from "./decide.ts";
import { lookAgainAfter, waitAfter } from "./patience.ts";
import { agentReporter } from "./report-agent.ts";
import { answers, bellFact, isUnanswered, nextRing, reportRing, showsBegin, type Ring } from "./ring.ts";
import { UNKNOWN_SENDER, writeTrigger, type Trigger } from "./trigger.ts";

export interface BellDesk {
  role: Role;
  mail: Mail;
  /** This relay, its agent and its pane. */
  identity: { relay: string; agent: string | undefined; pane: number | undefined };
  agent: Pick<AgentWatch, "hear" | "keepsWorking" | "view">;
  /** What the agent waits for with its ritual, if it does. */
  ritualWait: () => RitualWait | undefined;
  /** From the gentlest down. */
  ways: readonly RingingWay[];
  /** Whether the end of a turn rings as well. */
  ringsAtTurnEnd: boolean;
  /** Undefined if it rang, else why not; `hasBegun` tells whether a turn has been seen to begin. */
  ring: (way: RingingWay, call: Call, hasBegun: () => boolean) => Promise<HoldReason | undefined>;
  /** Whether the screen shows an idle agent: asked only where nothing else tells. */
  looksIdle: () => Promise<boolean>;
  /** Whether mail is on its way to the agent just now: then it is not unread. */
  isHandingOut: () => boolean;
  now: () => number;
}

interface Call {
  trigger: Trigger;
  /** Whose mail it is about. */
  from: string;
}

export interface BellKeeper {
  /** Takes a hook's word; returns what to tell the agent in return, if anything. */
  hear(call: HookCall): string | undefined;
  /** The agent has asked for its mail. */
  wasAsked(): void;
  /** Something else has changed that is told of the agent. */
  lookAgain(): void;
  close(): void;
}

/** While mail waits, the registry and the clock are looked at this often. */
const LOOK_EVERY_MS = 200;
const RESCAN_EVERY_MS = 2_000;
/** A turn that ended that often without a look at the mail is not kept from ending again. */
const MOST_HOOKS_IN_A_ROW = 3;

export function keepBell(desk: BellDesk): BellKeeper {
  const { role, mail, agent, now } = desk;
  const report = agentReporter(desk);
  let ring: Ring | undefined;
  let refusal: { why: HoldReason; count: number; at: number } | undefined;
  let atWork = false;
  let missed = false;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;

  const unread = (): string[] => mail.unread(role, { handedOut: !desk.isHandingOut() });

  async function lookOnce(): Promise<void> {
    if (!isInCharge()) return;
    const ids = unread();
    if (ids.length === 0) forget();
    // A refused ring has no flag either, and what refused it still counts.
    else if (mail.flag(role) === undefined) ring = undefined;
    const view = await viewNow(ids);
    if (ring && showsBegin(ring, view)) begin(ring);
    const urgent = mail.headers(role, ids).some(({ priority }) => priority === "urgent");
    const decision = decide({
      mail: ids.length === 0 ? "none" : urgent ? "urgent" : "normal",
      agent: view.state,
      bell: bellFact(ring, view, now()),
      ways: waysNow(),
    });
    if (decision.act === "nothing") return report(view, reportRing(ring, now()), ids);
    if (decision.act === "hold") return hold(view, decision.why, ids);
    const why = isTooSoon() ? refusal?.why : await ringBy(decision.way, view, ids);
    if (why === undefined) report(agent.view(), reportRing(ring, now()), ids);
    else hold(view, why, ids);
  }

  /** Where neither hooks nor a registry ever spoke, the screen is asked, and only if there is something to ring for. */
  async function viewNow(ids: string[]): Promise<AgentView> {
    const view = agent.view();
    if (!view.silent || view.state !== "unknown" || ids.length === 0 || isTooSoon()) return view;
    return (await desk.looksIdle()) ? { ...view, state: "idle", evidence: "screen", at: now() } : view;
  }

  /** The next way down for each ring that got no answer. */
  function waysNow(): readonly RingingWay[] {
    const [first, ...others] = desk.ways;
    return first && ring && ring.attempt % 2 === 1 ? [...others, first] : desk.ways;
  }

  /** By the way that was decided on; if that fails, and the agent is idle, by the others. */
  async function ringBy(first: RingingWay, view: AgentView, ids: string[]): Promise<HoldReason | undefined> {
    const before = ring;
    let why: HoldReason | undefined;
    for (const way of [first, ...desk.ways.filter((each) => each !== first)]) {
      if (why !== undefined && view.state !== "idle") break;
      const call = callFor(ids);
      const intoTurn = view.state === "busy";
      const tried = nextRing(before, { trigger: call.trigger, way, at: now(), intoTurn, ids });
      ring = tried;
      raise(way);
      why = await tryToRing(way, call, tried);
      if (why === undefined) return noteRing(tried);
      // Unless it was read in the meantime, and forgotten.
      if (ring === tried) ring = before;
    }
    // A flag must never outlive its reason: it would mute the role for good.
    if (ring === undefined) mail.lowerFlag(role);
    refusal = { why: why ?? "no-pane", count: (refusal?.count ?? 0) + 1, at: now() };
    return why;
  }

  async function tryToRing(way: RingingWay, call: Call, tried: Ring): Promise<HoldReason | undefined> {
    try {
      return await desk.ring(way, call, () => {
        if (showsBegin(tried, agent.view())) begin(tried);
        return tried.begun;
      });
    } catch {
      return way === "socket" ? "socket-refused" : "zellij-failed";
    }
  }

  function callFor(ids: string[]): Call {
    const senders = mail.headers(role, ids).map(({ from }) => from);
    return { trigger: writeTrigger(senders), from: senders[0] ?? UNKNOWN_SENDER };
  }

  function raise(way: Way): void {
    const note = { by: role, ringer: desk.identity.relay, way };
    if (!mail.raiseFlag(role, note)) mail.renewFlag(role, note);
  }

  function noteRing({ way, attempt, ids }: Ring): undefined {
    refusal = undefined;
    mail.note({ event: "rung", role, way, attempt, ids });
  }

  function begin(begun: Ring): void {
    begun.begun = true;
    mail.note({ event: "begun", role, way: begun.way, ids: begun.ids });
  }

  function forget(): void {
    ring = undefined;
    refusal = undefined;
  }

  function isTooSoon(): boolean {
    return refusal !== undefined && now() - refusal.at < lookAgainAfter(refusal.count);
  }

  function hold(view: AgentView, why: HoldReason, ids: string[]): void {
    const held = { bell: "held", why, at: new Date(now()).toISOString() } as const;
    report(view, isUnanswered(ring, now()) ? reportRing(ring, now()) : held, ids);
  }

  /** Of several relays of one role the eldest that lives rings, and tells. */
  function isInCharge(): boolean {
    const rivals = mail.presences().filter((each) => each.role === role && isProcessAlive(each.relay));
    const [eldest] = rivals.toSorted((one, other) => age(one).localeCompare(age(other)));
    return eldest === undefined || eldest.relay === desk.identity.relay;
  }

  function look(): void {
    missed = atWork;
    if (closed || atWork) return;
    atWork = true;
    clearTimeout(timer);
    lookOnce()
      // The store may have been taken down with its session: there is nobody left to ring for.
      .catch(() => {})
      .finally(() => {
        atWork = false;
        if (closed) return;
        if (missed) return void setImmediate(look);
        const isExpectant = ring !== undefined || unread().length > 0 || agent.view().state === "starting";
        if (isExpectant) timer = setTimeout(look, LOOK_EVERY_MS).unref();
      });
  }

  /** What a turn that wants to end is told instead, if there is mail. */
  function ringAtTurnEnd(): string | undefined {
    const ids = unread();
    if (!desk.ringsAtTurnEnd || ids.length === 0 || !isInCharge()) return undefined;
    const hasItComing =
      ring !== undefined && !ring.begun && (ring.intoTurn || now() - ring.at < waitAfter(1));
    if (hasItComing || (ring !== undefined && ring.attempt >= MOST_HOOKS_IN_A_ROW)) return undefined;
    const { trigger } = callFor(ids);
    ring = nextRing(ring, { trigger, way: "hook", at: now(), intoTurn: true, ids });
    raise("hook");
    noteRing(ring);
    agent.keepsWorking();
    return trigger.text;
  }

  const watch = mail.watchInbox(role, look, { rescanMs: RESCAN_EVERY_MS });
  setImmediate(look);
  return {
    hear(call) {
      agent.hear(call);
      if (ring && !ring.begun && answers(ring, call)) begin(ring);
      const answer = call.event === "Stop" ? ringAtTurnEnd() : undefined;
      setImmediate(look);
      return answer;
    },
    wasAsked() {
      if (ring && !ring.begun) begin(ring);
      forget();
      setImmediate(look);
    },
    lookAgain: () => void setImmediate(look),
    close() {
      closed = true;
      clearTimeout(timer);
      watch.close();
    },
  };
}

function age({ since = "", relay }: { since?: string | undefined; relay: string }): string {
  return `${since} ${relay}`;
}
