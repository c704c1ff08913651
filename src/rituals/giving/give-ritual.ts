/**
 * Gives a role its ritual: if its agent is ready, the text is submitted as a prompt in its pane.
 *
 * Rituals are given one after the other, with pauses so that the panes can keep up. The text is sent by pane id, so
 * it arrives correctly wherever the focus is. The focus follows along for the person watching, but only while nobody
 * types.
 */
import { isDeepStrictEqual } from "node:util";
import { submitPrompt, type Patience } from "../../agent/submit-prompt.ts";
import { isRole, type Role } from "../../army/roles.ts";
import type { AgentState, RitualWait } from "../../army/words.ts";
import { atPane, type Keyboard } from "../../bell/ring-by-typing.ts";
import type { Mail } from "../../mail/mail.ts";
import { pause } from "../../system/async.ts";
import { OvldError } from "../../system/ovld-error.ts";
import { clientPanes, findPane, findPanes, focusPane, focusPaneById, typistAt } from "../../zellij/panes.ts";
import { readinessOf } from "../readiness.ts";

export interface RitualSeat extends Keyboard {
  mail: Mail;
  /** The text, as long as it is still due: another process may give it in the meantime. */
  due: () => string | undefined;
  /** Whether the person's view moves to the pane. */
  focus: boolean;
  state: () => AgentState;
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
const PATIENCE: Patience = { settleMs: 200, standsWithinMs: 10_000, takenWithinMs: 10_000 };

/** Returns what the ritual is waiting for; undefined if the agent has it. */
export async function giveRitual(seat: RitualSeat): Promise<RitualWait | undefined> {
  const { mail, focus, stop } = seat;
  const watched = { ...seat, zellij: { ...seat.zellij, stop } };
  const waits = await whatItWaitsFor(watched);
  // The text in the composer may be ours, from when Zellij did not answer; then it is taken back first.
  const mayBeOurs = waits === "draft" && seat.memory.unconfirmed !== undefined;
  if (waits !== "ready" && !mayBeOurs) return waits;
  return mail.whileHolding("ritual", stop, async () => {
    const text = seat.due();
    if (text === undefined) return undefined;
    const lead = focus ? await watchViewer(watched) : undefined;
    await pause(BEFORE_WRITING_MS, stop);
    await lead?.(seat.role);
    if (stop.aborted) return "interrupted";
    // From here on nothing must be left half done, so these Zellij calls cannot be aborted.
    const prompted = await atPane(seat, (pane) => {
      const before = seat.promptedAt();
      const isTaken = (): boolean => seat.promptedAt() > before;
      // Spaces before it would look like a person's.
      return submitPrompt({ ...pane, isTaken, stop }, text.trimStart(), PATIENCE);
    });
    if ("held" in prompted) return prompted.held;
    seat.onGiven();
    const leadHome = focus && seat.isLast() ? await watchViewer(watched) : undefined;
    // The lock is still held, so the next role waits this long.
    await pause(BETWEEN_ROLES_MS, stop);
    await leadHome?.("overlord");
    return undefined;
  });
}

async function whatItWaitsFor(seat: RitualSeat): Promise<"ready" | RitualWait> {
  const { zellij, session, role, agentScreen } = seat;
  if (seat.whyNot() === "suspended") return "suspended";
  const pane = await findPane(zellij, session, role, seat.pane);
  if (typeof pane === "string") return pane;
  const screen = await typistAt(zellij, session, pane).screen();
  return readinessOf({ announced: true, state: seat.state(), screen, agentScreen });
}

const FIRST_TRY_AFTER_MS = 300;
const SLOWER_BY = 1.3;
const SLOWEST_TRY_MS = 3_000;
const LOOK_FOR_NEW_AGENT_EVERY_MS = 1_000;

/**
 * Has a role's own relay give the agent its ritual, however long the agent takes to get ready. `onWait` is called when
 * what the ritual waits for changes.
 *
 * The relay lives as long as its agent, so nothing else has to stay: not the `summon` that opened the session, nor
 * any time limit. A new process in the role's pane has a new relay and gets its ritual in the same way. It continues
 * after the ritual was given: a person may want it given again.
 */
export async function keepRitual(seat: RitualSeat, onWait: (waits: RitualWait) => void): Promise<void> {
  const { stop } = seat;
  let told: RitualWait | undefined;
  let wait = FIRST_TRY_AFTER_MS;
  while (!stop.aborted) {
    await pause(wait, stop);
    // Zellij may answer next time, or the disk may have room again; if the store is gone, its session is gone as well.
    const waits =
      seat.due() === undefined ? undefined : await giveRitual(seat).catch(() => "no-answer" as const);
    if (stop.aborted) return;
    if (waits !== undefined && waits !== told) onWait(waits);
    told = waits;
    wait = waits === undefined ? LOOK_FOR_NEW_AGENT_EVERY_MS : Math.min(wait * SLOWER_BY, SLOWEST_TRY_MS);
  }
}

/** The session that people may be attached to. */
type Watched = Pick<Keyboard, "zellij" | "session" | "agentScreen">;

/**
 * Returns a function to call a while later: it moves the view of attached people to the pane of a role, but never while
 * somebody types, because the letters would land in the wrong pane.
 *
 * Nobody is typing if all composers of the army are empty and the panes in view have not changed for a while. The
 * panes in view are checked last, right before the first step, then after every step and for a moment after the last.
 * If something has appeared there in the meantime, the focus returns at once, before the person presses the next key.
 */
export async function watchViewer(watched: Watched): Promise<(role: Role) => Promise<void>> {
  const before = await unlessRefused(() => lookAtViewers(watched));
  return async (role) => {
    await unlessRefused(async () => {
      if (before === undefined || before.length === 0) return;
      if (await isAnybodyAtWork(watched, before)) return;
      const now = await lookAtViewers(watched);
      if (isDeepStrictEqual(before, now)) await moveFocus(watched, role, now);
    });
  };
}

/** A letter is drawn some time after its key was pressed. */
const LOOKS_AFTERWARDS = 5;
const LOOK_AT_VIEWER_EVERY_MS = 40;

async function moveFocus(watched: Watched, role: Role, left: readonly Sight[]): Promise<void> {
  const { zellij, session } = watched;
  const panes = left.map(({ pane }) => pane);
  let changed: Sight | undefined;
  const isCalm = async (): Promise<boolean> => {
    const now = await lookAt(watched, panes);
    changed = now.find(({ written }, index) => left[index]?.written !== written);
    return changed === undefined;
  };
  let goesOn = await focusPane(zellij, session, role, isCalm);
  for (let look = 1; look <= LOOKS_AFTERWARDS && goesOn; look += 1) {
    goesOn = await isCalm();
    await pause(goesOn ? LOOK_AT_VIEWER_EVERY_MS : 0);
  }
  if (changed) await focusPaneById(zellij, session, changed.pane);
}

interface Sight {
  pane: number;
  /** The text of the composer; the whole screen if there is no composer, because then a key may appear anywhere. */
  written: string;
}

async function lookAtViewers(watched: Watched): Promise<Sight[]> {
  return lookAt(watched, await clientPanes(watched.zellij, watched.session));
}

async function lookAt({ zellij, session, agentScreen }: Watched, panes: readonly number[]): Promise<Sight[]> {
  const sights: Sight[] = [];
  for (const pane of panes) {
    const lines = await typistAt(zellij, session, { id: pane }).screen();
    sights.push({ pane, written: agentScreen.readComposer(lines) ?? lines.join("\n") });
  }
  return sights;
}

/** Somebody has written something, or has opened a floating pane, where they may be about to press a key. */
async function isAnybodyAtWork(
  { zellij, session, agentScreen }: Watched,
  viewed: readonly Sight[],
): Promise<boolean> {
  const panes = await findPanes(zellij, session);
  if (typeof panes === "string") return true;
  if (panes.some(({ id, isFloating }) => isFloating && viewed.some(({ pane }) => pane === id))) return true;
  for (const pane of panes.filter(({ name }) => isRole(name))) {
    if (agentScreen.readComposer(await typistAt(zellij, session, pane).screen())) return true;
  }
  return false;
}

/** The focus matters less than the ritual: if Zellij does not answer, the focus stays where it is. */
async function unlessRefused<Result>(action: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await action();
  } catch (error) {
    if (error instanceof OvldError) return undefined;
    throw error;
  }
}
