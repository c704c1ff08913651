/**
 * Submits a prompt by typing it; the bell and the rituals both use this.
 *
 * The agent must be idle and its composer empty. The text is pasted, and must be seen alone in the composer while the
 * agent is still idle. The keys that press Enter then send it only if the composer contains nothing else
 * (`enterIfAlone`), so letters that a person types at that moment are neither sent nor damaged. After Enter
 * there must be evidence that the agent took the prompt; otherwise the text is taken back. As long as nothing shows
 * where the text went, the screen has to change before anything else is typed.
 *
 * Only a paste does no harm wherever it arrives. A slow agent may take the prompt long after its Enter, and a person's
 * words be there when the next keys arrive. So no keys follow others until a paste shows that those have been handled
 * (`PROBE`): a pane handles in order what is written into it.
 */
import type { HoldReason } from "../army/words.ts";
import { pause } from "../system/async.ts";
import type { AgentScreen } from "./agent-link.ts";
import type { FoundPrompt } from "./claude/claude-screen.ts";

/** The pane into which a prompt is typed. */
export interface PromptPane {
  /** Writes the keys in one piece, so that nothing a person types comes in between. */
  write: (keys: string) => Promise<void>;
  screen: () => Promise<string[]>;
  /** How the agent in the pane draws its composer, and what keys do there. */
  agentScreen: AgentScreen;
  /** The cursor's row on the screen, if known. */
  cursorRow: number | undefined;
  /** Undefined if the agent is idle, otherwise why nothing may be typed. */
  whyNot: () => HoldReason | undefined;
  /** Evidence, besides an empty composer, that the agent took the prompt. */
  isTaken: (screen: string[]) => boolean;
  memory: PromptMemory;
  /** Recognises text of ours in a composer even if no process remembers typing it. */
  recognise?: ((composer: string) => string | undefined) | undefined;
  /** Shortens the waiting; nothing is left half done because of it. */
  stop?: AbortSignal | undefined;
}

/** Where the caller remembers, from one prompt to the next, typed text that is not accounted for. */
interface PromptMemory {
  unconfirmed?: UnconfirmedPrompt | undefined;
}

interface UnconfirmedPrompt {
  text: string;
  /** What the pane showed before, as long as it has not changed since. */
  screen: string | undefined;
  /** Whether Enter was pressed after it. */
  entered: boolean;
  typedAt?: number;
  /** What was written since the text was seen. Nothing shows yet that it was handled. */
  pending?: "enter" | "probe" | "removal" | undefined;
  /** Whether the probe was pasted after it. */
  isProbed?: boolean;
}

export interface Patience {
  /** The pause between the text and the first look at it. */
  settleMs: number;
  standsWithinMs: number;
  takenWithinMs: number;
  /**
   * Zellij may lose a text without an error, and then an idle agent's screen never changes. After this time the text
   * counts as lost, and may be typed again. Undefined for a text of which no process could recognise a second copy.
   */
  lostAfterMs?: number;
}

/** Pasted to see whether the agent has handled everything before. A person may see it for a moment. */
const PROBE = "(ovld is looking.)";
const ANSWERED_WITHIN_MS = 2_000;
const STILL_WITHIN_MS = 500;
/** After a stop, waiting takes at most this long. */
const STOPPED_WITHIN_MS = 700;

/** Whether the agent took the prompt; if not, why. */
export type Submission = { submitted: true } | { held: HoldReason };

export async function submitPrompt(pane: PromptPane, text: string, patience: Patience): Promise<Submission> {
  const { settleMs, standsWithinMs, takenWithinMs, lostAfterMs } = patience;
  const { keys } = pane.agentScreen;
  const before = await lookFor(pane, text);
  const refusal = pane.whyNot() ?? (await whyNotEmpty(pane, before, lostAfterMs));
  if (refusal !== undefined) return { held: refusal };
  const typed: UnconfirmedPrompt = {
    text,
    screen: before.screen.join("\n"),
    entered: false,
    typedAt: performance.now(),
  };
  pane.memory.unconfirmed = typed;
  await pane.write(keys.paste(text));
  await pause(settleMs);
  const isThere = (each: Look): boolean => each.found.is === "alone" || hasOtherText(each);
  const isTaken = (each: Look): boolean =>
    each.composer === "" || (pane.isTaken(each.screen) && !hasOtherText(each));
  // Other text next to the prompt keeps it from being sent, so there is no need to wait any longer.
  const isDecided = (each: Look): boolean => isTaken(each) || hasOtherText(each);
  let look = await lookUntil(pane, text, standsWithinMs, isThere);
  // Something may have started in the meantime that would take Enter for an answer.
  if (look.found.is === "alone" && pane.whyNot() === undefined) {
    typed.entered = true;
    typed.pending = "enter";
    await pane.write(keys.enterIfAlone(text));
    look = await lookUntil(pane, text, takenWithinMs, isDecided);
    if (isTaken(look)) {
      pane.memory.unconfirmed = undefined;
      return { submitted: true };
    }
  }
  // The agent may draw the words before it handles our Enter; nothing may be taken back in between.
  if (hasOtherText(look)) look = await lookUntilStill(pane, typed, look);
  const held = await withdraw(pane, typed, look);
  const isTakenLate = look.found.is === "alone" && typed.entered && pane.isTaken(await pane.screen());
  return isTakenLate ? { submitted: true } : { held };
}

type SweptPane = Omit<PromptPane, "cursorRow" | "isTaken">;

/** Takes back what an earlier prompt left in the composer, once it is visible there and the agent is idle. */
export async function takeBackUnconfirmed(pane: SweptPane): Promise<void> {
  const { unconfirmed } = pane.memory;
  if (unconfirmed === undefined) return;
  const look = await lookFor(pane, unconfirmed.isProbed ? PROBE : unconfirmed.text);
  const isAsBefore = unconfirmed.screen !== undefined;
  if (isAsBefore || look.found.is === "absent" || pane.whyNot() !== undefined) return;
  await withdraw(pane, unconfirmed, look);
}

/** Undefined if the composer is empty. Text left by an earlier prompt is taken back first. */
async function whyNotEmpty(
  pane: PromptPane,
  { screen, composer }: Look,
  lostAfterMs = Infinity,
): Promise<HoldReason | undefined> {
  const { memory } = pane;
  const { screen: unchanged, typedAt = Infinity } = memory.unconfirmed ?? {};
  if (unchanged !== undefined && performance.now() - typedAt > lostAfterMs) memory.unconfirmed = undefined;
  const { unconfirmed } = memory;
  if (unconfirmed?.screen !== undefined) return "not-taken";
  if (composer === undefined) return "no-composer";
  if (pane.agentScreen.isScrolled(screen, pane.cursorRow)) return "pane-scrolled";
  if (composer === "") return undefined;
  const text = unconfirmed?.text ?? pane.recognise?.(composer);
  if (text === undefined) return "draft";
  const found = pane.agentScreen.findPrompt(composer, text);
  // Whoever typed it may have pressed Enter.
  const known = unconfirmed ?? ({ text, screen: undefined, entered: false, pending: "enter" } as const);
  const why = await withdraw(pane, known, { screen, composer, found });
  return found.is === "alone" && memory.unconfirmed === undefined ? undefined : why;
}

/** Takes a text back, but first makes sure that no keys are under way that may send or remove it. */
async function withdraw(pane: SweptPane, known: UnconfirmedPrompt, look: Look): Promise<HoldReason> {
  let typed = known;
  if (!typed.isProbed) {
    if (!isUnsettled(typed, look) || pane.whyNot() !== undefined) return remove(pane, typed, look);
    typed = { ...typed, pending: "probe", isProbed: true };
    pane.memory.unconfirmed = typed;
    await pane.write(pane.agentScreen.keys.paste(PROBE));
  }
  const isSeen = ({ found }: Look): boolean => found.is === "alone" || found.is === "with-other-text";
  const probed = await lookUntil(pane, PROBE, ANSWERED_WITHIN_MS, isSeen);
  const found = pane.agentScreen.findPrompt(probed.composer ?? "", typed.text);
  if (found.is !== "absent") {
    if (!isSeen(probed)) return "not-taken";
    const pending = typed.pending === "probe" ? undefined : typed.pending;
    const why = await remove(pane, { ...typed, pending }, { ...probed, found });
    if (pane.memory.unconfirmed !== undefined) return why;
  }
  const probe = { text: PROBE, screen: undefined, entered: false, isProbed: true };
  return remove(pane, probe, await lookFor(pane, PROBE));
}

/**
 * Whether keys may be under way that send or remove the text. Our Enter sends nothing if other text is next to it, but
 * as long as no line break shows that it was heard, it may also have been lost.
 */
function isUnsettled({ pending, entered }: UnconfirmedPrompt, { found }: Look): boolean {
  if (found.is !== "with-other-text") return found.is !== "absent" && pending !== undefined;
  return pending === "enter" && entered && found.unitsBefore === 0 && found.isTouched;
}

/** Removes only what we typed, if that is certain to work. It counts as removed only when the screen shows it. */
async function remove(pane: SweptPane, typed: UnconfirmedPrompt, look: Look): Promise<HoldReason> {
  const { composer, found } = look;
  const late = pane.whyNot();
  if (found.is === "absent") {
    if (late !== undefined || composer === undefined) return late ?? "no-composer";
    return composer === "" ? "not-taken" : "draft";
  }
  const keys = pane.agentScreen.keys.takeBack(typed.text, found, typed.entered);
  const isUnderWay = typed.pending === "removal" || isUnsettled(typed, look);
  if (keys === undefined || isUnderWay) return late ?? "not-taken-back";
  pane.memory.unconfirmed = { ...typed, pending: "removal" };
  await pane.write(keys);
  const isGone = (each: Look): boolean => each.composer !== undefined && each.found.is === "absent";
  if (!isGone(await lookUntil(pane, typed.text, ANSWERED_WITHIN_MS, isGone))) return "not-taken-back";
  pane.memory.unconfirmed = undefined;
  return late ?? WITHDRAWN[found.is];
}

const WITHDRAWN = {
  alone: "not-taken",
  "with-other-text": "draft",
  "cut-off": "pane-too-small",
} as const;

/** What a pane shows of a prompt. */
interface Look {
  screen: string[];
  composer: string | undefined;
  found: FoundPrompt;
}

function hasOtherText({ found }: Look): boolean {
  return found.is === "with-other-text";
}

async function lookFor(pane: SweptPane, text: string): Promise<Look> {
  const screen = await pane.screen();
  const { unconfirmed } = pane.memory;
  if (unconfirmed && unconfirmed.screen !== screen.join("\n")) unconfirmed.screen = undefined;
  const { readComposer, findPrompt } = pane.agentScreen;
  const composer = readComposer(screen);
  return { screen, composer, found: composer === undefined ? { is: "absent" } : findPrompt(composer, text) };
}

/** Waits until the composer stops changing, but not for long while a person keeps typing. */
async function lookUntilStill(pane: SweptPane, typed: UnconfirmedPrompt, first: Look): Promise<Look> {
  const until = performance.now() + STILL_WITHIN_MS;
  for (let before = first; ;) {
    await pause(60);
    const look = await lookFor(pane, typed.text);
    const isStill = look.composer === before.composer && !isUnsettled(typed, look);
    if (isStill || performance.now() > until) return look;
    before = look;
  }
}

/** The first look that satisfies `isAsWished`, or else the last one. */
async function lookUntil(
  pane: SweptPane,
  text: string,
  withinMs: number,
  isAsWished: (look: Look) => boolean,
): Promise<Look> {
  const began = performance.now();
  for (;;) {
    const look = await lookFor(pane, text);
    const waited = performance.now() - began;
    const isOver = waited >= (pane.stop?.aborted ? Math.min(STOPPED_WITHIN_MS, withinMs) : withinMs);
    if (isAsWished(look) || isOver) return look;
    await pause(25);
  }
}
