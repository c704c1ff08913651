/** Builds one role's bell from what its relay was started with: its agent, its ways of ringing and its pane. */
import type { AgentLink } from "../agent/agent-link.ts";
import type { HookCall } from "../agent/hook-call.ts";
import type { RitualWait } from "../army/words.ts";
import type { RelaySettings } from "../config/relay-settings.ts";
import type { Mail } from "../mail/mail.ts";
import type { Header } from "../mail/store/message.ts";
import type { ProcessIdentity } from "../system/process.ts";
import type { Environment } from "../system/run-program.ts";
import { recordIn } from "../zellij/session-record.ts";
import { startSteadyClock, watchAgent } from "./agent-watch.ts";
import type { Brake } from "./brake.ts";
import { runBellLoop } from "./bell-loop.ts";
import type { RingingWay } from "./decide.ts";
import { ringByTyping, sweepComposer, whyNotTyped, type Keyboard } from "./ring-by-typing.ts";
import { mailWord } from "./trigger.ts";
import { trackUnfinished } from "./unfinished.ts";

/** Where a relay is: its role and its army, its own process and its agent's, and what it works with. */
export interface RelayPlace extends Pick<RelaySettings, "role" | "session" | "relayDir" | "summoned"> {
  mail: Mail;
  env: Environment;
  agentLink: () => AgentLink;
  relay: ProcessIdentity;
  /** `identity` is undefined outside a summoned army. */
  agent: { pid: number; identity: ProcessIdentity | undefined };
}

interface Surroundings {
  brake: Brake;
  /** Whether the agent's budget, or the army's, is used up. */
  isBudgetReached: () => boolean;
  /** While the ritual is due, the agent is not rung: the ritual comes first. */
  ritual: { isDue(): boolean; waitsFor(): RitualWait | undefined };
  /** Whether the answer to a request of the agent is still on its way. */
  areAnswersAwaited: () => boolean;
  /** The agent receives this mail; called before the store forgets it. */
  wasRead: (messages: readonly Header[]) => void;
}

/** Covers the time from the request for mail until its answer counts as on its way. */
const HANDING_OUT_MS = 1_000;

export type Bell = ReturnType<typeof createBell>;

export function createBell(place: RelayPlace, surroundings: Surroundings) {
  const { role, session, relayDir, mail, env, summoned, relay } = place;
  const { brake, isBudgetReached, ritual, areAnswersAwaited, wasRead } = surroundings;
  const { pid, identity } = place.agent;
  const link = place.agentLink();
  const { endsInError = () => false } = link;
  const pane = paneNumber(env);
  const clock = startSteadyClock();
  const agent = watchAgent({
    registry() {
      const seen = link.readState?.(env, pid);
      return seen && { ...seen, at: clock.at(seen.at) };
    },
    awaitsRitual: () => ritual.isDue(),
    now: clock.now,
  });
  const ringBySocket = link.openSocket?.(env);
  const keyboard: Keyboard | undefined = summoned &&
    link.screen && {
      zellij: { program: summoned.zellij, env, record: recordIn(relayDir) },
      session,
      role,
      pane,
      agentScreen: link.screen,
      memory: {},
      alone: (action) => mail.whileHolding(`typing-${role}`, AbortSignal.timeout(10_000), action),
      whyNot: () => whyNotTyped(identity, agent.view().state),
    };
  const bySocket: RingingWay[] = ringBySocket && summoned?.wake !== "pane" ? ["socket"] : [];
  let askedAt = -Infinity;
  let sweeping: { close(): void } | undefined;
  const loop = runBellLoop({
    self: { role, relay, agent: identity, pane },
    mail,
    agent,
    unfinished: trackUnfinished({ role, mail, agent: identity, endsInError }, clock.now()),
    wasRead,
    ringing: {
      ways: keyboard ? [...bySocket, "typing"] : bySocket,
      async ring(way, trigger, hasBegun) {
        if (way === "typing") {
          if (keyboard === undefined) return { held: "no-pane" };
          sweeping ??= sweepComposer(keyboard);
          return ringByTyping({ ...keyboard, hasBegun }, trigger);
        }
        return (await ringBySocket?.(trigger)) ? { rung: true } : { held: "socket-refused" };
      },
      ringsAtTurnEnd: summoned?.wake === "pane" ? 0 : (link.hooks?.mostContinuations ?? 0),
      word: mailWord(role, summoned),
    },
    brake,
    isBudgetReached,
    ritualWait: () => ritual.waitsFor(),
    isHandingOut: () => areAnswersAwaited() || performance.now() - askedAt < HANDING_OUT_MS,
    clock: { now: clock.now, timeOfDay: Date.now },
  });
  // The registry alone shows an Esc, a dialog that was answered, and what subagents ask.
  const endWatch = link.watchState?.(env, pid, () => loop.lookAgain());
  return {
    lookAgain: loop.lookAgain,
    hasUnread: () => loop.hasUnread(),
    agent,
    now: clock.now,
    /** The agent's pane, if something can be typed there. */
    keyboard,
    /** Returns the answer to the hook, if it rings. */
    hear(call: HookCall, hook: { onDropped(action: () => void): void }): string | undefined {
      const rung = loop.hear(call);
      if (rung === undefined || link.hooks === undefined) return undefined;
      // Claude Code discards the answer if the person interrupts the turn, or if this relay took too long.
      hook.onDropped(() => rung.takeBack());
      const { addToResults, continueTurn } = link.hooks;
      return call.event === "tools-ended" ? addToResults(rung.text) : continueTurn(rung.text);
    },
    hearSubagent: (call: HookCall) => brake.hear(call),
    wasAsked(messages: readonly Header[]): void {
      askedAt = performance.now();
      loop.wasAsked(messages);
    },
    close(): void {
      loop.close();
      endWatch?.();
      sweeping?.close();
    },
  };
}

function paneNumber(env: Environment): number | undefined {
  const number = Number.parseInt(env["ZELLIJ_PANE_ID"] ?? "", 10);
  return Number.isNaN(number) ? undefined : number;
}
