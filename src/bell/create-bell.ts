/** Builds one role's bell from what its relay was started with: its agent, its ways of ringing and its pane. */
import type { AgentLink, AgentScreen } from "../agent/agent-link.ts";
import type { HookCall } from "../agent/hook-call.ts";
import type { Role } from "../army/roles.ts";
import type { HoldReason, RitualWait } from "../army/words.ts";
import type { Summoned } from "../config/relay-settings.ts";
import type { Mail } from "../mail/mail.ts";
import { isSuspended, type ProcessIdentity } from "../system/process.ts";
import type { Environment } from "../system/run-program.ts";
import { recordIn } from "../zellij/session-record.ts";
import { startSteadyClock, watchAgent, type AgentWatch } from "./agent-watch.ts";
import { runBellLoop, type BellLoop } from "./bell-loop.ts";
import type { RingingWay } from "./decide.ts";
import { mailWord } from "./mail-word.ts";
import { ringByTyping, sweepComposer, type Keyboard } from "./ring-by-typing.ts";
import { keepUnfinished } from "./unfinished.ts";

/** Where a relay is: its role and its army, its own process and its agent's, and what it works with. */
export interface RelayPlace {
  role: Role;
  session: string;
  relayDir: string;
  /** Undefined for a relay that was started by hand. */
  summoned: Summoned | undefined;
  mail: Mail;
  env: Environment;
  agentLink: () => AgentLink;
  relay: ProcessIdentity;
  /** `identity` is undefined outside a summoned army. */
  agent: { pid: number; identity: ProcessIdentity | undefined };
}

interface Surroundings {
  /** While the ritual is due, the agent is not rung: the ritual comes first. */
  ritual: { isDue(): boolean; waitsFor(): RitualWait | undefined };
  /** Whether the answer to a request of the agent is still on its way. */
  areAnswersAwaited: () => boolean;
}

interface Bell extends Omit<BellLoop, "hear"> {
  /** Returns the answer to the hook, if it rings. */
  hear(call: HookCall, hook: { onDropped(action: () => void): void }): string | undefined;
  agent: AgentWatch;
  /** The number of the agent's pane. */
  pane: number | undefined;
}

/** Covers the time from the request for mail until its answer counts as on its way. */
const HANDING_OUT_MS = 1_000;

export function createBell(place: RelayPlace, { ritual, areAnswersAwaited }: Surroundings): Bell {
  const { role, mail, env, summoned, relay } = place;
  const link = place.agentLink();
  const { endsInError = () => false } = link;
  const pane = paneNumber(env);
  const clock = startSteadyClock();
  const agent = watchAgent({
    registry() {
      const seen = link.sight?.(env, place.agent.pid);
      return seen && { ...seen, at: clock.at(seen.at) };
    },
    awaitsRitual: () => ritual.isDue(),
    now: clock.now,
  });
  const ringAtDoor = link.door?.(env);
  const keyboard = summoned && link.screen && keyboardOf(place, summoned, link.screen, agent);
  const bySocket: RingingWay[] = ringAtDoor && summoned?.wake !== "pane" ? ["socket"] : [];
  let askedAt = -Infinity;
  let sweeping: { close(): void } | undefined;
  const loop = runBellLoop({
    self: { role, relay, agent: place.agent.identity, pane },
    mail,
    agent,
    unfinished: keepUnfinished({ role, mail, agent: place.agent.identity, endsInError }),
    ringing: {
      ways: keyboard ? [...bySocket, "typing"] : bySocket,
      async ring(way, { trigger, text }, hasBegun) {
        if (way === "typing") {
          if (keyboard === undefined) return { held: "no-pane" };
          sweeping ??= sweepComposer(keyboard);
          return ringByTyping({ ...keyboard, hasBegun }, trigger);
        }
        const isHeard = await ringAtDoor?.({ from: trigger.from, text });
        return isHeard ? { rung: true } : { held: "socket-refused" };
      },
      ringsAtTurnEnd: summoned?.wake === "pane" ? 0 : (link.hooks?.mostContinuations ?? 0),
      word: mailWord(role, summoned),
    },
    ritualWait: () => ritual.waitsFor(),
    isHandingOut: () => areAnswersAwaited() || performance.now() - askedAt < HANDING_OUT_MS,
    clock: { now: clock.now, timeOfDay: Date.now },
  });
  // The registry alone shows an Esc, a dialog that was answered, and what subagents ask.
  const endSight = link.onSight?.(env, place.agent.pid, () => loop.lookAgain());
  return {
    ...loop,
    agent,
    pane,
    hear(call, hook) {
      const rung = loop.hear(call);
      if (rung === undefined || link.hooks === undefined) return undefined;
      // Claude Code discards the answer if the person interrupts the turn, or if this relay took too long.
      hook.onDropped(() => rung.takeBack());
      const { addToResults, continueTurn } = link.hooks;
      return call.event === "tools-ended" ? addToResults(rung.text) : continueTurn(rung.text);
    },
    wasAsked(messages) {
      askedAt = performance.now();
      loop.wasAsked(messages);
    },
    close() {
      loop.close();
      endSight?.();
      sweeping?.close();
    },
  };
}

function keyboardOf(
  place: RelayPlace,
  { zellij }: Summoned,
  agentScreen: AgentScreen,
  agent: AgentWatch,
): Omit<Keyboard, "hasBegun"> {
  const { role, session, relayDir, mail, env } = place;
  return {
    zellij: { program: zellij, env, record: recordIn(relayDir) },
    session,
    role,
    pane: paneNumber(env),
    agentScreen,
    memory: {},
    alone: (action) => mail.whileHolding(`typing-${role}`, AbortSignal.timeout(10_000), action),
    whyNot() {
      const { identity } = place.agent;
      // A suspended agent reads nothing; the text would still be in its composer when it resumes.
      if (identity !== undefined && isSuspended(identity)) return "suspended";
      return WHY_NOT[agent.view().state];
    },
  };
}

const WHY_NOT = {
  idle: undefined,
  failed: undefined,
  busy: "busy",
  asking: "asking",
  starting: "starting",
  gone: "agent-gone",
  unknown: "state-unknown",
} as const satisfies Record<string, HoldReason | undefined>;

function paneNumber(env: Environment): number | undefined {
  const number = Number.parseInt(env["ZELLIJ_PANE_ID"] ?? "", 10);
  return Number.isNaN(number) ? undefined : number;
}
