/**
 * Makes one attempt to give a role its ritual: if its agent is ready, the text is submitted as a prompt in its pane.
 *
 * Rituals are given one after the other, with pauses so that the panes can keep up. The text is sent by pane id, so
 * it arrives correctly wherever the focus is. The focus follows along for the person watching, but only while nobody
 * types.
 */
import type { Role } from "../../army/roles.ts";
import type { PromptPane } from "../../agent/submit-prompt.ts";
import { type Submission, submitPrompt, type Patience } from "../../agent/submit-prompt.ts";
import type { AgentState, RitualWait } from "../../army/words.ts";
import type { Mail } from "../../mail/mail.ts";
import { pause } from "../../system/async.ts";
import { findPane } from "../../zellij/panes.ts";
import { typistAt } from "../../zellij/typing.ts";
import type { Zellij } from "../../zellij/zellij.ts";
import { watchViewer } from "./lead-viewer.ts";
import { readinessOf } from "../readiness.ts";

export interface RitualSeat extends Pick<PromptPane, "memory" | "agentScreen"> {
  role: Role;
  zellij: Zellij;
  session: string;
  /** The number of the role's pane, as its relay reported it. */
  pane: number | undefined;
  mail: Mail;
  /** The text, as long as it is still due: another process may give it in the meantime. */
  due: () => string | undefined;
  /** Whether the person's view moves to the pane. */
  focus: boolean;
  state: () => AgentState | undefined;
  /** A stopped agent reads nothing; the text would be in its composer when it resumes, without us seeing it. */
  isSuspended: () => boolean;
  /** When the agent last took a prompt, judged without the screen. */
  promptedAt: () => number;
  /** Called as soon as the agent has its ritual. */
  onGiven: () => void;
  /** Whether every other role has its ritual: then the person's view returns to the overlord. */
  isLast: () => boolean;
  stop: AbortSignal;
}

const BEFORE_WRITING_MS = 500;
const BETWEEN_ROLES_MS = 1_000;
const PATIENCE: Patience = { settleMs: 200, standsWithinMs: 10_000, takenWithinMs: 3_000 };

/** Whether the agent has its ritual; if not, what the ritual is waiting for. */
export type RitualAttempt = { given: true } | { waits: RitualWait };

export async function giveRitual(seat: RitualSeat): Promise<RitualAttempt> {
  const waits = await whatItWaitsFor(seat);
  // The text in the composer may be ours, from when Zellij did not answer; then it is taken back first.
  const mayBeOurs = waits === "draft" && seat.memory.unconfirmed !== undefined;
  if (waits !== "ready" && !mayBeOurs) return { waits };
  return seat.mail.whileHolding("ritual", seat.stop, async (): Promise<RitualAttempt> => {
    const text = seat.due();
    if (text === undefined) return { given: true };
    const watched = { ...seat, zellij: { ...seat.zellij, stop: seat.stop } };
    const viewer = seat.focus ? await watchViewer(watched) : undefined;
    await pause(BEFORE_WRITING_MS, seat.stop);
    await viewer?.leadTo(seat.role);
    if (seat.stop.aborted) return { waits: "interrupted" };
    const prompted = await seat.mail.whileHolding(`typing-${seat.role}`, seat.stop, () => submit(seat, text));
    if ("held" in prompted) return { waits: prompted.held };
    seat.onGiven();
    const home = seat.focus && seat.isLast() ? await watchViewer(watched) : undefined;
    // The lock is still held, so the next role waits this long.
    await pause(BETWEEN_ROLES_MS, seat.stop);
    await home?.leadTo("overlord");
    return { given: true };
  });
}

async function whatItWaitsFor(seat: RitualSeat): Promise<"ready" | RitualWait> {
  if (seat.isSuspended()) return "suspended";
  const { zellij, session, role, stop } = seat;
  const watching = { ...zellij, stop };
  const pane = await findPane(watching, session, role, seat.pane);
  if (typeof pane === "string") return pane;
  const screen = await typistAt(watching, session, pane).screen();
  return readinessOf({ announced: true, state: seat.state(), screen, agentScreen: seat.agentScreen });
}

/** From here on nothing must be left half done, so these Zellij calls cannot be aborted. */
async function submit(seat: RitualSeat, text: string): Promise<Submission> {
  const { zellij, session, role, agentScreen, memory, stop } = seat;
  const pane = await findPane(zellij, session, role, seat.pane);
  if (typeof pane === "string") return { held: pane };
  const before = seat.promptedAt();
  const { write, screen } = typistAt(zellij, session, pane);
  return submitPrompt(
    {
      write,
      screen,
      agentScreen,
      cursorRow: pane.cursorRow,
      memory,
      stop,
      whyNot() {
        if (seat.isSuspended()) return "suspended";
        const state = seat.state();
        if (state === "busy" || state === "asking") return state;
        return state === "unknown" ? "state-unknown" : undefined;
      },
      isTaken: () => seat.promptedAt() > before,
    },
    // Spaces before it would look like a person's.
    text.trimStart(),
    PATIENCE,
  );
}
