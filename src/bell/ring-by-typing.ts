/** Ringing by typing: the trigger is submitted as a prompt, in the agent's own pane, alive, and known by its id. */
import type { Role } from "../army/roles.ts";
import type { AgentScreen } from "../agent/agent-link.ts";
import { submitPrompt, type Patience, type Slate } from "../agent/submit-prompt.ts";
import type { HoldReason } from "../army/words.ts";
import { findPane } from "../zellij/panes.ts";
import { typistAt } from "../zellij/typing.ts";
import { readTrigger, type Trigger } from "./trigger.ts";
import type { Zellij } from "../zellij/zellij.ts";

export interface Keyboard {
  zellij: Zellij;
  session: string;
  role: Role;
  /** The number of its pane, as its relay told it. */
  pane: number | undefined;
  /** Runs an action while nobody else of ours types into this pane. */
  alone: <Result>(action: () => Promise<Result>) => Promise<Result>;
  /** Undefined while the agent is idle, else why nothing may be typed. */
  whyNot: (screen: string[]) => HoldReason | undefined;
  /** Whether a turn has begun since. */
  hasBegun: () => boolean;
  /** Whether the agent itself tells its state, or nothing does but its screen. */
  tellsState: () => boolean;
  agentScreen: AgentScreen;
  slate: Slate;
}

/**
 * A trigger stands in a person's way as long as it stands there, so its Enter comes with it. Where only the screen tells
 * that the agent is idle, it is looked at once more before the Enter.
 */
const PATIENCE: Patience = { settleMs: 0, standsWithinMs: 2_000, takenWithinMs: 1_500 };

/** Undefined if the trigger was taken, else why not. */
export function ringByTyping(keyboard: Keyboard, { text, mark }: Trigger): Promise<HoldReason | undefined> {
  const { zellij, session, role, agentScreen, whyNot, hasBegun, slate } = keyboard;
  const isTaken = (lines: string[]): boolean => hasBegun() || agentScreen.showsAsSent(lines, mark);
  return keyboard.alone(async () => {
    const pane = await findPane(zellij, session, role, keyboard.pane);
    if (typeof pane === "string") return pane;
    const { write, screen } = typistAt(zellij, session, pane);
    const { cursorRow } = pane;
    const recognise = readTrigger;
    return submitPrompt({ write, screen, agentScreen, cursorRow, whyNot, isTaken, slate, recognise }, text, {
      ...PATIENCE,
      atOnce: keyboard.tellsState(),
    });
  });
}
