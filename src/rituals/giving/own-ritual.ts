/** A relay's part in its agent's ritual: whether it is due, giving it, and reminding the agent of it. */
import type { ConversationLoss, HookCall } from "../../agent/hook-call.ts";
import type { RitualWait } from "../../army/words.ts";
import type { Bell, RelayPlace } from "../../bell/create-bell.ts";
import { whyNotTyped } from "../../bell/ring-by-typing.ts";
import {
  armyRitualFile,
  armyRitualText,
  hasNoRitualYet,
  isAnyRitualDue,
  noteRitualGiven,
} from "../ritual-file.ts";
import { keepRitual } from "./give-ritual.ts";

/** While the budget is used up, a ritual waits as bells do. */
export function createRitual(
  { role, relayDir, summoned, mail, agent, agentLink }: RelayPlace,
  isBudgetReached: () => boolean = () => false,
) {
  const { identity } = agent;
  let waitsFor: RitualWait = "starting";
  let isGivenUnnoted = false;

  /** A conversation receives its ritual once, whichever process is in it; a new one needs it again. */
  function isDue(): boolean {
    // What can never be given must not hold the bell.
    if (identity === undefined || agentLink().screen === undefined) return false;
    if (isGivenUnnoted) noteGiven();
    return !isGivenUnnoted && hasNoRitualYet(mail, relayDir, role, identity);
  }

  function noteGiven(): void {
    try {
      if (identity !== undefined) noteRitualGiven(mail, role, identity);
      isGivenUnnoted = false;
    } catch {
      // On a full disk, for example, the relay remembers it and does not type the ritual again.
      isGivenUnnoted = true;
    }
  }

  return {
    isDue,
    /** What the ritual is waiting for, if it is due. */
    waitsFor: () => (isDue() ? waitsFor : undefined),
    /** Undefined for a relay outside an army. */
    start(bell: Pick<Bell, "agent" | "keyboard" | "lookAgain">) {
      const { hooks } = agentLink();
      if (summoned === undefined || identity === undefined || bell.keyboard === undefined) return undefined;
      const closing = new AbortController();
      const { signal: stop } = closing;
      const state = () => bell.agent.judge().state;
      const seat = {
        ...bell.keyboard,
        mail,
        stop,
        state,
        focus: summoned.focus,
        alone: <Result>(action: () => Promise<Result>) => mail.whileHolding(`typing-${role}`, stop, action),
        whyNot: () => (isBudgetReached() ? "budget" : whyNotTyped(identity, state())),
        promptedAt: () => bell.agent.promptedAt(),
        due: () => (isDue() ? armyRitualText(relayDir, role) : undefined),
        isLast: () => !isAnyRitualDue(mail, relayDir),
        onGiven() {
          noteGiven();
          mail.note({ event: "ritual", role, outcome: "given" });
          bell.lookAgain();
        },
      };
      void keepRitual(seat, (waits) => {
        waitsFor = waits;
        if (waits !== "starting") mail.note({ event: "ritual", role, outcome: "waits", why: waits });
        bell.lookAgain();
      });
      return {
        /** A conversation that was cleared or compacted has lost its ritual. */
        hear({ lost }: Pick<HookCall, "lost">): string | undefined {
          const text = lost && armyRitualText(relayDir, role);
          if (lost === undefined || text === undefined || hooks === undefined) return undefined;
          const path = armyRitualFile(relayDir, role);
          return hooks.remind(formatReminder(lost, text, path, hooks.mostContext));
        },
        close: () => closing.abort(),
      };
    },
  };
}

const LOST_BY: Readonly<Record<ConversationLoss, string>> = {
  cleared: "The conversation was cleared.",
  compacted: "The conversation was compacted.",
};

/** The ritual again, as context of the start hook, without typing anything. `path` has the full text. */
export function formatReminder(
  lost: ConversationLoss,
  text: string,
  path: string,
  mostCharacters: number,
): string {
  const what = LOST_BY[lost];
  const whole = `${what} This is the ritual of your role again; it still holds.\n\n${text}`;
  if (whole.length <= mostCharacters) return whole;
  // As many whole lines as fit, after a sentence that says where the full text is.
  const head = `${what} The ritual of your role still holds. It is too long to be given here whole: all of it is in ${path}, to be read before any other work. It begins:\n\n`;
  const part = text.slice(0, mostCharacters - head.length);
  return head + part.slice(0, part.lastIndexOf("\n") + 1 || part.length);
}
