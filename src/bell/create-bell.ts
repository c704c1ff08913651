/** Builds one role's bell from what its relay was started with: its agent, its ways of ringing and its pane. */
import { type ProcessIdentity, isSuspended } from "../system/process.ts";
import type { Role } from "../army/roles.ts";
import type { AgentLink } from "../agent/agent-link.ts";
import type { Environment } from "../system/run-program.ts";
import type { Summoned } from "../config/relay-settings.ts";
import type { HoldReason, RitualWait } from "../army/words.ts";
import type { Mail } from "../mail/mail.ts";
import { startSteadyClock, watchAgent, type AgentWatch } from "./agent-watch.ts";
import { recordIn } from "../zellij/session-record.ts";
import type { RingingWay } from "./decide.ts";
import { runBellLoop, type BellLoop } from "./bell-loop.ts";
import { keepUnfinished } from "./unfinished.ts";
import { mailWord } from "./mail-word.ts";
import { ringByTyping, type Keyboard, sweepComposer } from "./ring-by-typing.ts";
import { TYPING_TURN_WITHIN_MS } from "./timings.ts";

interface BellOptions {
  role: Role;
  session: string;
  relayDir: string;
  mail: Mail;
  link: AgentLink;
  env: Environment;
  summoned: Summoned | undefined;
  relay: ProcessIdentity;
  agent: { pid: number; identity: ProcessIdentity | undefined };
  /** Whether the agent has yet to receive its ritual. */
  awaitsRitual: () => boolean;
  /** What the ritual is waiting for, if it is waiting. */
  ritualWait: () => RitualWait | undefined;
  isHandingOut: () => boolean;
}

/** The bell loop, and what else the relay learns through it. */
interface Bell extends BellLoop {
  agent: AgentWatch;
  /** The number of the agent's pane. */
  pane: number | undefined;
}

export function createBell(place: BellOptions): Bell {
  const { role, mail, link, env, summoned } = place;
  const ringAtDoor = link.door(env);
  const clock = startSteadyClock();
  const agent = watchAgent({
    registry() {
      const seen = link.sight(env, place.agent.pid);
      return seen && { ...seen, at: clock.at(seen.at) };
    },
    awaitsRitual: place.awaitsRitual,
    now: clock.now,
  });
  const keyboard = summoned && keyboardOf(place, summoned, agent);
  const bySocket: RingingWay[] = ringAtDoor && summoned?.wake !== "pane" ? ["socket"] : [];
  const keeper = runBellLoop({
    role,
    mail,
    agent,
    identity: { relay: place.relay, agent: place.agent.identity, pane: paneNumber(env) },
    unfinished: keepUnfinished({
      role,
      mail,
      agent: place.agent.identity,
      endsInError: link.endsInError,
    }),
    ritualWait: place.ritualWait,
    ways: keyboard ? [...bySocket, "typing"] : bySocket,
    ringsAtTurnEnd: summoned?.wake === "pane" ? 0 : link.hooks.mostContinuations,
    word: mailWord(role, summoned),
    async ring(way, { trigger, text }, hasBegun) {
      if (way === "typing")
        return keyboard ? ringByTyping({ ...keyboard, hasBegun }, trigger) : { held: "no-pane" };
      const isHeard = await ringAtDoor?.({ from: trigger.from, text });
      return isHeard ? { rung: true } : { held: "socket-refused" };
    },
    isHandingOut: place.isHandingOut,
    now: clock.now,
    timeOfDay: Date.now,
  });
  const sweeping = keyboard && sweepComposer(keyboard);
  // The registry alone shows an Esc, a dialog that was answered, and what subagents ask.
  const endSight = link.onSight(env, place.agent.pid, () => keeper.lookAgain());
  return {
    ...keeper,
    agent,
    pane: paneNumber(env),
    close() {
      keeper.close();
      endSight();
      sweeping?.close();
    },
  };
}

function keyboardOf(place: BellOptions, { zellij }: Summoned, agent: AgentWatch): Omit<Keyboard, "hasBegun"> {
  const { role, session, mail, link, env } = place;
  return {
    zellij: { program: zellij, env, record: recordIn(env["OVLD_RELAY_DIR"]) },
    session,
    role,
    pane: paneNumber(env),
    agentScreen: link.screen,
    memory: {},
    alone: (action) => mail.whileTyping(role, AbortSignal.timeout(TYPING_TURN_WITHIN_MS), action),
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
