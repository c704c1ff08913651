/**
 * A relay's connection to its own agent: its presence file, its bell, and what hooks report.
 *
 * It begins when the client lists the tools, not before: a client may start a relay only to ask what it is.
 */
import type { AgentHooks } from "../agent/agent-link.ts";
import type { ProcessIdentity } from "../system/process.ts";
import {
  armyRitualFile,
  armyRitualText,
  hasNoRitualYet,
  isAnyRitualDue,
  noteRitualGiven,
} from "../rituals/ritual-file.ts";
import type { ConversationLoss, HookCall } from "../agent/hook-call.ts";
import type { Environment } from "../system/run-program.ts";
import type { RelaySettings, Summoned } from "../config/relay-settings.ts";
import type { Mail } from "../mail/mail.ts";
import { type RitualKeeper, remindOfRitual } from "../rituals/keep-ritual.ts";
import type { Message } from "../mail/store/message.ts";
import type { RitualWait } from "../army/words.ts";
import { lazily } from "../system/async.ts";
import type { AnswerDelivery } from "./answer-delivery.ts";
import type { OutsideAnswers } from "./answer-from-outside.ts";
import type * as English from "../i18n/en.ts";
import type * as BellEntry from "./bell-entry.ts";
import { keepConversation, type SeenConversation } from "./keep-conversation.ts";
import type { ReturnTeller } from "./tell-return.ts";
import type { Call } from "./protocol.ts";
import { takeHookCall } from "./take-hook-call.ts";
import type { AgentSession } from "./tools/create-tools.ts";

export interface SessionOptions {
  settings: RelaySettings;
  mail: Mail;
  env: Environment;
  /** Identities of this process and of the agent that started it. */
  relay: ProcessIdentity;
  agent: ProcessIdentity | undefined;
  delivery: Pick<AnswerDelivery, "areAwaited">;
  loadBell: () => typeof BellEntry;
  /** The texts in the person's language. */
  loadTexts: () => typeof English;
  /** Errors are reported, not thrown: the mail works without presence and bell. */
  complainOf: (error: unknown) => void;
}

export interface OpenAgentSession extends AgentSession {
  onAsked(messages: readonly Message[]): void;
  close(): void;
}

/** Covers the time from the request for mail until `delivery` counts its answer as on the way. */
const HANDING_OUT_MS = 1_000;
const FIRST_RETRY_MS = 250;
const SLOWEST_RETRY_MS = 15_000;

export function openAgentSession(options: SessionOptions): OpenAgentSession {
  const { settings, mail, env, relay, agent, delivery, complainOf } = options;
  const { role, session, relayDir, summoned } = settings;
  /** The code for the agent program is loaded together with the bell, which is loaded late. */
  const agentLink = lazily(() => options.loadBell().linkOfArmy(mail));
  const hooks = (): AgentHooks => agentLink().hooks;
  const conversation = summoned && agent && keepConversation({ role, relayDir, mail, agent });
  let bell: ReturnType<typeof BellEntry.createBell> | undefined;
  let ritual: RitualKeeper | undefined;
  let returning: ReturnTeller | undefined;
  let outside: OutsideAnswers | undefined;
  let ritualWait: RitualWait | undefined;
  let isGivenUnnoted = false;
  let askedAt = -Infinity;
  let retry: { timer: NodeJS.Timeout; pauseMs: number } | undefined;

  /**
   * Retries, because a disk that is full right now must not leave the agent without a bell for the rest of its life.
   */
  function begin(): void {
    try {
      mail.announce({ role, relay, agent: summoned && agent });
      conversation?.follow(seenNow());
      bell ??= options.loadBell().createBell({
        role,
        session,
        relayDir,
        mail,
        link: agentLink(),
        env,
        summoned,
        relay,
        agent: { pid: process.ppid, identity: summoned && agent },
        awaitsRitual,
        ritualWait: () => (awaitsRitual() ? (ritualWait ?? "starting") : undefined),
        isHandingOut: () => delivery.areAwaited() || performance.now() - askedAt < HANDING_OUT_MS,
      });
      ritual ??= keepRitual(bell);
      returning ??= summoned && agent && options.loadBell().tellReturn({ role, mail, agent });
      outside ??= summoned && openOutside(summoned);
      retry = undefined;
    } catch (error) {
      if (retry === undefined) complainOf(error);
      const pauseMs = Math.min((retry?.pauseMs ?? FIRST_RETRY_MS) * 2, SLOWEST_RETRY_MS);
      retry = { pauseMs, timer: setTimeout(begin, pauseMs).unref() };
    }
  }

  return {
    onListed() {
      if (!bell && !retry) begin();
    },
    onHook: (input, hook) =>
      takeHookCall(input, {
        secret: summoned?.secret,
        hooks,
        hear: (call) => hear(call, input, hook),
        hearSubagent: (call) => outside?.hearSubagent(call),
        timeOfDay: Date.now(),
      }),
    onAsked(messages) {
      askedAt = performance.now();
      bell?.wasAsked(messages);
    },
    close() {
      ritual?.close();
      returning?.close();
      outside?.close();
      clearTimeout(retry?.timer);
      if (!bell) return;
      bell.close();
      mail.withdraw(relay);
    },
  };

  function seenNow(): SeenConversation | undefined {
    const id = agentLink().conversation(env, process.ppid);
    return id === undefined ? undefined : { id };
  }

  function hear(call: HookCall, input: object, hook: Call): string | undefined | Promise<string | undefined> {
    if (call.conversation !== undefined) follow(call.conversation);
    const rung = bell?.hear(call);
    // Claude Code discards the answer if the person interrupts the turn, or if this relay took too long.
    if (rung !== undefined) hook.onDropped(() => rung.takeBack());
    const told = rung?.text;
    if (call.event === "tools-ended") return told === undefined ? undefined : hooks().addToResults(told);
    const asked = outside?.hear(call, input, hook);
    if (asked !== undefined) return asked;
    if (call.lost !== undefined) return remindAgent(call.lost);
    return told === undefined ? undefined : hooks().continueTurn(told);
  }

  /** If this cannot be recorded, only the next start is affected. */
  function follow(seen: SeenConversation): void {
    try {
      conversation?.follow(seen);
    } catch (error) {
      complainOf(error);
    }
  }

  /** A conversation that was cleared or compacted has lost its ritual. */
  function remindAgent(lost: ConversationLoss): string | undefined {
    const text = armyRitualText(relayDir, role);
    if (text === undefined) return undefined;
    const { remind, mostContext } = hooks();
    return remind(remindOfRitual({ lost, text, path: armyRitualFile(relayDir, role), most: mostContext }));
  }

  /** A conversation receives its ritual once, whichever process is in it; a new one needs it again. */
  function awaitsRitual(): boolean {
    if (summoned === undefined || agent === undefined) return false;
    if (isGivenUnnoted) noteGiven(agent);
    return !isGivenUnnoted && hasNoRitualYet(mail, relayDir, role, agent);
  }

  /**
   * If this cannot be recorded, for example on a full disk, the relay remembers it and does not type the ritual
   * again.
   */
  function noteGiven(to: ProcessIdentity): void {
    try {
      noteRitualGiven(mail, role, to);
      isGivenUnnoted = false;
    } catch {
      isGivenUnnoted = true;
    }
  }

  function openOutside({ answer, notify }: Summoned): OutsideAnswers | undefined {
    if (!answer && !notify) return undefined;
    return options.loadBell().answerFromOutside({
      asker: { role, relay, agent },
      relayDir,
      hooks: hooks(),
      sight: () => agentLink().sight(env, process.ppid),
      decision: agentLink().decision,
      answer,
      notify: notify ? notifyOf : undefined,
    });
  }

  function notifyOf(tool: string): void {
    const { TEXTS } = options.loadTexts();
    options.loadBell().notifyPerson({ title: TEXTS.answer.notification(role, session), body: tool }, env);
  }

  function keepRitual(keeper: NonNullable<typeof bell>): RitualKeeper | undefined {
    if (summoned === undefined || agent === undefined) return undefined;
    const { keepRitual: keep, recordIn } = options.loadBell();
    return keep({
      role,
      session,
      mail,
      agentScreen: agentLink().screen,
      zellij: { program: summoned.zellij, env, record: recordIn(relayDir) },
      pane: keeper.pane,
      due: () => (awaitsRitual() ? armyRitualText(relayDir, role) : undefined),
      focus: summoned.focus,
      agent: keeper.agent,
      isLast: () => !isAnyRitualDue(mail, relayDir),
      identity: agent,
      onGiven() {
        noteGiven(agent);
        mail.note({ event: "ritual", role, outcome: "given" });
        keeper.lookAgain();
      },
      onWait(waits) {
        ritualWait = waits;
        if (waits !== "starting") mail.note({ event: "ritual", role, outcome: "waits", why: waits });
        keeper.lookAgain();
      },
    });
  }
}
