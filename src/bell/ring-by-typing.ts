/** Types into an agent's own pane, which must be alive and is found by its id. A bell is a trigger typed there. */
import type { RingResult } from "./ring-attempt.ts";
import type { Role } from "../army/roles.ts";
import { submitPrompt, takeBackUnconfirmed, type Patience, type PromptPane } from "../agent/submit-prompt.ts";
import type { AgentState, HoldReason, PaneTrouble } from "../army/words.ts";
import { oneAtATime } from "../system/async.ts";
import { isSuspended, type ProcessIdentity } from "../system/process.ts";
import { findPane, typistAt } from "../zellij/panes.ts";
import { readTrigger, type Trigger } from "./trigger.ts";
import type { Zellij } from "../zellij/zellij.ts";

export interface Keyboard extends Pick<PromptPane, "agentScreen" | "memory" | "whyNot"> {
  zellij: Zellij;
  session: string;
  role: Role;
  /** The number of the role's pane, as its relay reported it. */
  pane: number | undefined;
  /** Runs an action while no other ovld process types into this pane. */
  alone: <Result>(action: () => Promise<Result>) => Promise<Result>;
}

const WHY_NOT = {
  idle: undefined,
  failed: undefined,
  busy: "busy",
  asking: "asking",
  starting: "starting",
  gone: "agent-gone",
  unknown: "state-unknown",
} as const satisfies Record<AgentState, HoldReason | undefined>;

/** Why nothing may be typed to an agent in this state; undefined if it may. */
export function whyNotTyped(agent: ProcessIdentity | undefined, state: AgentState): HoldReason | undefined {
  // A suspended agent reads nothing; the text would still be in its composer when it resumes.
  return agent !== undefined && isSuspended(agent) ? "suspended" : WHY_NOT[state];
}

type TypedPane = Omit<PromptPane, "isTaken" | "recognise" | "stop">;

export function atPane<Result>(
  { zellij, session, role, pane: number, agentScreen, memory, whyNot, alone }: Keyboard,
  action: (pane: TypedPane) => Promise<Result>,
): Promise<Result | { held: PaneTrouble }> {
  return alone(async () => {
    const pane = await findPane(zellij, session, role, number);
    if (typeof pane === "string") return { held: pane };
    const { write, screen } = typistAt(zellij, session, pane);
    return action({ write, screen, cursorRow: pane.cursorRow, agentScreen, memory, whyNot });
  });
}

/** A trigger in the composer is in the person's way, so Enter follows as soon as it is seen. */
const PATIENCE: Patience = { settleMs: 0, standsWithinMs: 2_000, takenWithinMs: 5_000, lostAfterMs: 60_000 };

/** `hasBegun`: whether a turn has begun since the ring. */
export async function ringByTyping(
  keyboard: Keyboard & { hasBegun: () => boolean },
  { text, mark }: Trigger,
): Promise<RingResult> {
  const { hasBegun, agentScreen } = keyboard;
  const isTaken = (lines: string[]): boolean => hasBegun() || agentScreen.showsAsSent(lines, mark);
  const prompted = await atPane(keyboard, (pane) =>
    submitPrompt({ ...pane, isTaken, recognise: readTrigger }, text, PATIENCE),
  );
  return "held" in prompted ? prompted : { rung: true };
}

const SWEEP_COMPOSER_EVERY_MS = 1_000;

/**
 * Takes back a trigger that appears in the composer late: the agent hung when it was typed and has since received its
 * mail by another way. Nothing else looks at that composer any more, and the trigger would end up in front of the
 * person's next words.
 */
export function sweepComposer(keyboard: Keyboard): { close: () => void } {
  // If the session is gone, or another ovld process is typing there, the next look will find out.
  const sweep = oneAtATime(async () => void (await atPane(keyboard, takeBackUnconfirmed)));
  const timer = setInterval(() => {
    if (keyboard.memory.unconfirmed !== undefined) sweep();
  }, SWEEP_COMPOSER_EVERY_MS);
  timer.unref();
  return { close: () => clearInterval(timer) };
}
