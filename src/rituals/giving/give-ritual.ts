/**
 * Gives a role its ritual: if its agent is ready, the text is submitted as a prompt in its pane.
 *
 * Rituals are given one after the other, with pauses so that the panes can keep up. The text is sent by pane id, so
 * it arrives correctly wherever the focus is. The focus follows along for the person watching, but only while nobody
 * types.
 */
import type { Role } from "../../army/roles.ts";
import { type PromptPane, type Submission, submitPrompt, type Patience } from "../../agent/submit-prompt.ts";
import type { AgentState, RitualWait } from "../../army/words.ts";
import type { Mail } from "../../mail/mail.ts";
import { pause } from "../../system/async.ts";
import { findPane } from "../../zellij/panes.ts";
import { typistAt } from "../../zellij/typing.ts";
import type { Zellij } from "../../zellij/zellij.ts";
import { watchViewer } from "./lead-viewer.ts";
import { readinessOf } from "../readiness.ts";
import type { AgentWatch } from "../../bell/agent-watch.ts";
import { type ProcessIdentity, isSuspended } from "../../system/process.ts";

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

interface KeptRitual extends Omit<RitualSeat, "state" | "promptedAt" | "isSuspended" | "memory" | "stop"> {
  agent: AgentWatch;
  identity: ProcessIdentity;
  /** Called when what the ritual waits for changes. */
  onWait: (waits: RitualWait) => void;
}

const FIRST_TRY_AFTER_MS = 300;
const SLOWER_BY = 1.3;
const SLOWEST_TRY_MS = 3_000;
const LOOK_FOR_NEW_AGENT_EVERY_MS = 1_000;

/**
 * Has a role's own relay give the agent its ritual, however long the agent takes to get ready.
 *
 * The relay lives as long as its agent, so nothing else has to stay: not the `summon` that opened the session, nor
 * any time limit. A new process in the role's pane has a new relay and gets its ritual in the same way.
 */
export function keepRitual(own: KeptRitual): { close(): void } {
  const closing = new AbortController();
  const { signal: stop } = closing;
  const seat: RitualSeat = {
    ...own,
    memory: {},
    stop,
    state: () => own.agent.judge().state,
    isSuspended: () => isSuspended(own.identity),
    promptedAt: () => own.agent.promptedAt(),
  };
  void keepTrying();
  return { close: () => closing.abort() };

  /** Continues after the ritual was given: a person may want it given again. */
  async function keepTrying(): Promise<void> {
    let told: RitualWait | undefined;
    let wait = FIRST_TRY_AFTER_MS;
    while (!stop.aborted) {
      await pause(wait, stop);
      const waits = own.due() === undefined ? undefined : await tryOnce();
      if (stop.aborted) return;
      if (waits !== undefined && waits !== told) own.onWait(waits);
      told = waits;
      wait = waits === undefined ? LOOK_FOR_NEW_AGENT_EVERY_MS : Math.min(wait * SLOWER_BY, SLOWEST_TRY_MS);
    }
  }

  async function tryOnce(): Promise<RitualWait | undefined> {
    try {
      const result = await giveRitual(seat);
      return "waits" in result ? result.waits : undefined;
    } catch {
      // Zellij may answer next time, or the disk may have room again; if the store is gone, its session is gone as
      // well.
      return "no-answer";
    }
  }
}
