/** A relay's part in its agent's ritual: whether it is due, giving it, and reminding the agent of it. */
import type { ConversationLoss, HookCall } from "../../agent/hook-call.ts";
import type { RitualWait } from "../../army/words.ts";
import type { AgentWatch } from "../../bell/agent-watch.ts";
import type { RelayPlace } from "../../bell/create-bell.ts";
import { recordIn } from "../../zellij/session-record.ts";
import {
  armyRitualFile,
  armyRitualText,
  hasNoRitualYet,
  isAnyRitualDue,
  noteRitualGiven,
} from "../ritual-file.ts";
import { keepRitual } from "./give-ritual.ts";

export interface OwnRitual {
  /** A conversation receives its ritual once, whichever process is in it; a new one needs it again. */
  isDue(): boolean;
  /** What the ritual is waiting for, if it is due. */
  waitsFor(): RitualWait | undefined;
  noteWait(waits: RitualWait): void;
  noteGiven(): void;
}

export function trackRitual({ role, relayDir, mail, agent, agentLink }: RelayPlace): OwnRitual {
  const { identity } = agent;
  let waitsFor: RitualWait = "starting";
  let isGivenUnnoted = false;
  const ritual: OwnRitual = {
    isDue() {
      // What can never be given must not hold the bell.
      if (identity === undefined || agentLink().screen === undefined) return false;
      if (isGivenUnnoted) ritual.noteGiven();
      return !isGivenUnnoted && hasNoRitualYet(mail, relayDir, role, identity);
    },
    waitsFor: () => (ritual.isDue() ? waitsFor : undefined),
    noteWait: (waits) => void (waitsFor = waits),
    noteGiven() {
      try {
        if (identity !== undefined) noteRitualGiven(mail, role, identity);
        isGivenUnnoted = false;
      } catch {
        // On a full disk, for example, the relay remembers it and does not type the ritual again.
        isGivenUnnoted = true;
      }
    },
  };
  return ritual;
}

interface Bell {
  agent: AgentWatch;
  pane: number | undefined;
  lookAgain(): void;
}

interface RitualPart {
  hear(call: Pick<HookCall, "lost">): string | undefined;
  close(): void;
}

/** Undefined for a relay outside an army. */
export function startRitual(place: RelayPlace, ritual: OwnRitual, bell: Bell): RitualPart | undefined {
  const { role, session, relayDir, summoned, mail, env, agent } = place;
  const { screen, hooks } = place.agentLink();
  if (summoned === undefined || agent.identity === undefined || screen === undefined) return undefined;
  const keeper = keepRitual({
    role,
    session,
    mail,
    agentScreen: screen,
    zellij: { program: summoned.zellij, env, record: recordIn(relayDir) },
    pane: bell.pane,
    due: () => (ritual.isDue() ? armyRitualText(relayDir, role) : undefined),
    focus: summoned.focus,
    agent: bell.agent,
    isLast: () => !isAnyRitualDue(mail, relayDir),
    identity: agent.identity,
    onGiven() {
      ritual.noteGiven();
      mail.note({ event: "ritual", role, outcome: "given" });
      bell.lookAgain();
    },
    onWait(waits) {
      ritual.noteWait(waits);
      if (waits !== "starting") mail.note({ event: "ritual", role, outcome: "waits", why: waits });
      bell.lookAgain();
    },
  });
  return {
    /** A conversation that was cleared or compacted has lost its ritual. */
    hear({ lost }) {
      const text = lost && armyRitualText(relayDir, role);
      if (lost === undefined || text === undefined || hooks === undefined) return undefined;
      const path = armyRitualFile(relayDir, role);
      return hooks.remind(formatReminder({ lost, text, path, most: hooks.mostContext }));
    },
    close: () => keeper.close(),
  };
}

const LOST_BY: Readonly<Record<ConversationLoss, string>> = {
  cleared: "The conversation was cleared.",
  compacted: "The conversation was compacted.",
};

interface Reminder {
  lost: ConversationLoss;
  text: string;
  /** The file with the full text. */
  path: string;
  /** How many characters the agent accepts. */
  most: number;
}

/** The ritual again, as context of the start hook, without typing anything. */
export function formatReminder({ lost, text, path, most }: Reminder): string {
  const what = LOST_BY[lost];
  const whole = `${what} This is the ritual of your role again; it still holds.\n\n${text}`;
  if (whole.length <= most) return whole;
  // As many whole lines as fit, after a sentence that says where the full text is.
  const head = `${what} The ritual of your role still holds. It is too long to be given here whole: all of it is in ${path}, to be read before any other work. It begins:\n\n`;
  const part = text.slice(0, most - head.length);
  return head + part.slice(0, part.lastIndexOf("\n") + 1 || part.length);
}
