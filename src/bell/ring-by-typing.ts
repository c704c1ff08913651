/**
 * Rings by typing: submits the trigger as a prompt in the agent's own pane, which must be alive and is found by its
 * id.
 */
import type { RingResult } from "./ring-attempt.ts";
import type { Role } from "../army/roles.ts";
import type { AgentScreen } from "../agent/agent-link.ts";
import {
  submitPrompt,
  takeBackUnconfirmed,
  type Patience,
  type PromptMemory,
} from "../agent/submit-prompt.ts";
import type { HoldReason } from "../army/words.ts";
import { oneAtATime } from "../system/async.ts";
import { findPane } from "../zellij/panes.ts";
import { typistAt } from "../zellij/typing.ts";
import { readTrigger, type Trigger } from "./trigger.ts";
import type { Zellij } from "../zellij/zellij.ts";

export interface Keyboard {
  zellij: Zellij;
  session: string;
  role: Role;
  /** The number of the role's pane, as its relay reported it. */
  pane: number | undefined;
  /** Runs an action while no other ovld process types into this pane. */
  alone: <Result>(action: () => Promise<Result>) => Promise<Result>;
  /** Undefined if the agent is idle, otherwise why nothing may be typed. */
  whyNot: () => HoldReason | undefined;
  /** Whether a turn has begun since the ring. */
  hasBegun: () => boolean;
  agentScreen: AgentScreen;
  memory: PromptMemory;
}

/** A trigger in the composer is in the person's way, so Enter follows as soon as it is seen. */
const PATIENCE: Patience = { settleMs: 0, standsWithinMs: 2_000, takenWithinMs: 1_500, lostAfterMs: 60_000 };

export function ringByTyping(keyboard: Keyboard, { text, mark }: Trigger): Promise<RingResult> {
  const { zellij, session, role, agentScreen, whyNot, hasBegun, memory } = keyboard;
  const isTaken = (lines: string[]): boolean => hasBegun() || agentScreen.showsAsSent(lines, mark);
  return keyboard.alone(async () => {
    const pane = await findPane(zellij, session, role, keyboard.pane);
    if (typeof pane === "string") return { held: pane };
    const { write, screen } = typistAt(zellij, session, pane);
    const { cursorRow } = pane;
    const recognise = readTrigger;
    const prompted = await submitPrompt(
      { write, screen, agentScreen, cursorRow, whyNot, isTaken, memory, recognise },
      text,
      PATIENCE,
    );
    return "held" in prompted ? prompted : { rung: true };
  });
}

const SWEEP_COMPOSER_EVERY_MS = 1_000;

/**
 * Takes back a trigger that appears in the composer late: the agent hung when it was typed and has since received its
 * mail by another way. Nothing else looks at that composer any more, and the trigger would end up in front of the
 * person's next words.
 */
export function sweepComposer(keyboard: Omit<Keyboard, "hasBegun">): { close: () => void } {
  const { zellij, session, role, agentScreen, memory, whyNot, alone } = keyboard;
  const sweep = oneAtATime(() =>
    alone(async () => {
      const pane = await findPane(zellij, session, role, keyboard.pane);
      // If the session is gone, or another ovld process is typing there, the next look will find out.
      if (typeof pane === "string") return;
      const { write, screen } = typistAt(zellij, session, pane);
      await takeBackUnconfirmed({ write, screen, agentScreen, whyNot, memory });
    }),
  );
  const timer = setInterval(() => {
    if (memory.unconfirmed !== undefined) sweep();
  }, SWEEP_COMPOSER_EVERY_MS);
  timer.unref();
  return { close: () => clearInterval(timer) };
}
