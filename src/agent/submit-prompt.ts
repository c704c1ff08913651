/**
 * Submits a prompt by typing it; the bell and the rituals both use this.
 *
 * The agent must be idle and its composer empty. The keys that press Enter send the prompt only if the composer
 * contains nothing else (`PromptKeys.enterIfAlone`), so letters that a person types at that moment are neither sent
 * nor damaged. A short text of plain words is written together with its Enter, so that it is never in a person's way.
 * Any other text is pasted first and must be seen alone in the composer while the agent is still idle. After Enter
 * there must be evidence that the agent took the prompt; otherwise Enter is pressed once more, and then the text is
 * taken back. It is never typed twice: as long as nothing shows where the text went, the screen has to change before
 * anything else is typed.
 */
import type { HoldReason } from "../army/words.ts";
import { pause } from "../system/pause.ts";
import type { AgentScreen, Entered, PromptKeys, Standing } from "./agent-link.ts";

export interface PromptPane {
  /** Writes the keys in one piece, so that nothing a person types comes in between. */
  write: (keys: string) => Promise<void>;
  screen: () => Promise<string[]>;
  /** How the agent in the pane draws its composer, and what keys do there. */
  agentScreen: AgentScreen;
  /** The cursor's row on the screen, if known. */
  cursorRow: number | undefined;
  /** Undefined if the agent is idle, otherwise why nothing may be typed. */
  whyNot: (screen: string[]) => HoldReason | undefined;
  /** Evidence, besides an empty composer, that the agent took the prompt. */
  isTaken: (screen: string[]) => boolean;
  /** Where the caller remembers, from one prompt to the next, typed text that is not accounted for. */
  slate: Slate;
  /** Recognises text of ours in a composer even if no process remembers typing it. */
  recognise?: ((composer: string) => string | undefined) | undefined;
  /** Shortens the waiting; nothing is left half done because of it. */
  stop?: AbortSignal | undefined;
}

export interface Slate {
  left?: Left | undefined;
}

interface Left {
  text: string;
  /** What the pane showed before, as long as it has not changed since. */
  screen: string | undefined;
  entered: Entered;
  /** When keys were written to remove it. */
  takenBackAt?: number;
}

export interface Patience {
  /**
   * Whether Enter comes with the text, before the text has been seen: only for plain words that do no harm wherever
   * they end up.
   */
  atOnce?: boolean;
  /** The pause between the text and the first look at it. */
  settleMs: number;
  standsWithinMs: number;
  takenWithinMs: number;
}

interface Look {
  screen: string[];
  composer: string | undefined;
  standing: Standing;
}

const LOOK_EVERY_MS = 25;
const TAKEN_BACK_WITHIN_MS = 2_000;
const STILL_FOR_MS = 60;
const STILL_WITHIN_MS = 500;
/** After a stop, waiting takes at most this long. */
const STOPPED_WITHIN_MS = 700;
const MOST_ENTERS = 2;
/** If the agent has not handled these keys yet, writing them twice would remove a person's words. */
const SLOWEST_AGENT_MS = 10_000;

/** Whether the agent took the prompt; if not, why. */
export type Submission = { submitted: true } | { held: HoldReason };

export async function submitPrompt(
  pane: PromptPane,
  text: string,
  { atOnce = false, settleMs, standsWithinMs, takenWithinMs }: Patience,
): Promise<Submission> {
  const { keys } = pane.agentScreen;
  const before = await lookFor(pane, text);
  const refusal = pane.whyNot(before.screen) ?? (await whyNotEmpty(pane, before));
  if (refusal !== undefined) return { held: refusal };
  const left: Left = { text, screen: before.screen.join("\n"), entered: atOnce ? "with-text" : "no" };
  pane.slate.left = left;
  let enters = atOnce ? 1 : 0;
  await pane.write(atOnce ? keys.typeAndEnter(text) : keys.paste(text));
  await pause(settleMs);
  let hasStood = !atOnce;
  const isTaken = ({ screen, composer, standing }: Look): boolean => {
    hasStood ||= standing.is === "alone";
    // An empty composer proves nothing until the text has been seen in it: it may not have arrived yet.
    return (composer === "" && hasStood) || (pane.isTaken(screen) && !hasCompany(standing));
  };
  // Other text next to the prompt keeps it from being sent, so there is no need to wait any longer.
  const isDecided = (each: Look): boolean => isTaken(each) || hasCompany(each.standing);
  let look = await (atOnce
    ? lookUntil(pane, text, standsWithinMs + takenWithinMs, isDecided)
    : lookUntil(pane, text, standsWithinMs, stands));
  for (;;) {
    if (enters > 0 && isTaken(look)) {
      pane.slate.left = undefined;
      return { submitted: true };
    }
    // Something may have started in the meantime that would take Enter for an answer.
    const mayPress = look.standing.is === "alone" && pane.whyNot(look.screen) === undefined;
    if (!mayPress || enters === MOST_ENTERS) break;
    enters += 1;
    left.entered = "afterwards";
    await pane.write(keys.enterIfAlone(text, enters));
    look = await lookUntil(pane, text, takenWithinMs, isDecided);
  }
  // The agent may draw the words before it handles our Enter; nothing may be taken back in between.
  if (hasCompany(look.standing)) look = await lookUntilStill(pane, text, look);
  return { held: await withdraw(pane, left, look) };
}

/** Takes back what an earlier prompt left in the composer, once it is visible there and the agent is idle. */
export async function takeBackLeft(
  pane: Pick<PromptPane, "write" | "screen" | "agentScreen" | "whyNot" | "slate">,
): Promise<void> {
  const { left } = pane.slate;
  if (left === undefined) return;
  const look = await lookFor(pane, left.text);
  const isAsBefore = left.screen !== undefined;
  if (isAsBefore || look.standing.is === "absent" || pane.whyNot(look.screen) !== undefined) return;
  await withdraw(pane, left, look);
}

/** Undefined if the composer is empty. Text left by an earlier prompt is taken back first. */
async function whyNotEmpty(pane: PromptPane, { screen, composer }: Look): Promise<HoldReason | undefined> {
  const { left } = pane.slate;
  if (left?.screen !== undefined) return "not-taken";
  if (composer === undefined) return "no-composer";
  if (pane.agentScreen.isScrolled(screen, pane.cursorRow)) return "pane-scrolled";
  if (composer === "") return undefined;
  const text = left?.text ?? pane.recognise?.(composer);
  if (text === undefined) return "draft";
  const standing = pane.agentScreen.findPrompt(composer, text);
  const known: Left = left ?? { text, screen: undefined, entered: "no" };
  const why = await withdraw(pane, known, { screen, composer, standing });
  return standing.is === "alone" && pane.slate.left === undefined ? undefined : why;
}

/** Removes only what we typed, if that is certain to work. It counts as removed only when the screen shows it. */
async function withdraw(
  pane: Pick<PromptPane, "write" | "screen" | "agentScreen" | "whyNot" | "slate" | "stop">,
  left: Left,
  { screen, composer, standing }: Look,
): Promise<HoldReason> {
  const { text, entered, takenBackAt = -Infinity } = left;
  const late = pane.whyNot(screen);
  if (standing.is === "absent") {
    if (late !== undefined || composer === undefined) return late ?? "no-composer";
    return composer === "" ? "not-taken" : "draft";
  }
  const keys = takeBackKeys(pane.agentScreen.keys, { text, entered }, standing);
  const isUnderWay = performance.now() - takenBackAt < SLOWEST_AGENT_MS;
  if (keys === undefined || isUnderWay) return "not-taken-back";
  pane.slate.left = { ...left, takenBackAt: performance.now() };
  await pane.write(keys);
  const isGone = (look: Look): boolean => look.composer !== undefined && look.standing.is === "absent";
  if (!isGone(await lookUntil(pane, text, TAKEN_BACK_WITHIN_MS, isGone))) return "not-taken-back";
  pane.slate.left = undefined;
  return late ?? WITHDRAWN[standing.is];
}

/** Undefined if it is not certain where the prompt is. */
function takeBackKeys(
  keys: PromptKeys,
  { text, entered }: Pick<Left, "text" | "entered">,
  standing: Standing,
): string | undefined {
  const unitsBefore = hasCompany(standing) ? standing.unitsBefore : 0;
  const isLast = standing.is !== "beside" || standing.isLast;
  if (unitsBefore === undefined) {
    const linesBefore = standing.is === "beside" && entered === "no" ? standing.linesBefore : undefined;
    return linesBefore === undefined ? undefined : keys.takeLineBack({ text, linesBefore, isLast });
  }
  // Spaces alone are invisible to the person, and would block every later prompt.
  const keepsBefore = !(standing.is === "beside" && isLast && standing.afterBlanksOnly);
  const keepsGuard = standing.is === "split" && standing.keepsGuard;
  return keys.takeBack({ text, unitsBefore, keepsBefore, isLast, keepsGuard, entered });
}

const WITHDRAWN = {
  alone: "not-taken",
  beside: "draft",
  split: "draft",
  "cut-off": "pane-too-small",
} as const;

function hasCompany(standing: Standing): standing is Extract<Standing, { unitsBefore: unknown }> {
  return standing.is === "beside" || standing.is === "split";
}

function stands({ standing }: Look): boolean {
  return standing.is === "alone" || hasCompany(standing);
}

async function lookFor(
  pane: Pick<PromptPane, "screen" | "agentScreen" | "slate">,
  text: string,
): Promise<Look> {
  const screen = await pane.screen();
  const { left } = pane.slate;
  if (left && left.screen !== screen.join("\n")) left.screen = undefined;
  const { readComposer, findPrompt } = pane.agentScreen;
  const composer = readComposer(screen);
  const standing: Standing = composer === undefined ? { is: "absent" } : findPrompt(composer, text);
  return { screen, composer, standing };
}

/** Waits until the composer stops changing, but not for long while a person keeps typing. */
async function lookUntilStill(
  pane: Pick<PromptPane, "screen" | "agentScreen" | "slate">,
  text: string,
  first: Look,
): Promise<Look> {
  const until = performance.now() + STILL_WITHIN_MS;
  for (let before = first; ;) {
    await pause(STILL_FOR_MS);
    const look = await lookFor(pane, text);
    if (look.composer === before.composer || performance.now() > until) return look;
    before = look;
  }
}

/** The first look that satisfies `isAsWished`, or else the last one. */
async function lookUntil(
  pane: Pick<PromptPane, "screen" | "agentScreen" | "slate" | "stop">,
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
    await pause(LOOK_EVERY_MS);
  }
}
