/**
 * Submits a prompt by typing it; the bell and the rituals both use this.
 *
 * The agent must be idle and its composer empty. The keys that press Enter send the prompt only if the composer
 * contains nothing else (`PromptKeys.enterIfAlone`), so letters that a person types at that moment are neither sent
 * nor damaged. A short text of plain words is written together with its Enter, so that it is never in a person's way.
 * Any other text is pasted first and must be seen alone in the composer while the agent is still idle. After Enter
 * there must be evidence that the agent took the prompt; otherwise Enter is pressed once more, and then the text is
 * taken back. As long as nothing shows where the text went, the screen has to change before anything else is typed.
 * Zellij may lose a text without an error, and then an idle agent's screen never changes: so a text that was written
 * with its Enter counts as lost after a minute.
 */
import type { HoldReason } from "../army/words.ts";
import { pause } from "../system/pause.ts";
import type { PromptKeys, Standing } from "./agent-link.ts";
import {
  hasCompany,
  lookFor,
  lookUntil,
  lookUntilStill,
  stands,
  type Left,
  type Look,
  type PromptPane,
} from "./prompt-pane.ts";

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

const TAKEN_BACK_WITHIN_MS = 2_000;
const MOST_ENTERS = 2;
/** Far longer than an idle agent takes to show what was typed. */
const LOST_AFTER_MS = 60_000;
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
  const left: Left = {
    text,
    screen: before.screen.join("\n"),
    entered: atOnce ? "with-text" : "no",
    typedAt: performance.now(),
  };
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
  if (isLost(pane.slate.left)) pane.slate.left = undefined;
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

/** Text without its Enter is not typed again: both would then stand in the composer, if the agent was only slow. */
function isLost(left: Left | undefined): boolean {
  if (left?.screen === undefined || left.entered !== "with-text") return false;
  return performance.now() - (left.typedAt ?? Infinity) > LOST_AFTER_MS;
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
  if (!isGone(await lookUntil(pane, text, TAKEN_BACK_WITHIN_MS, isGone))) return "not-taken-back";
  pane.slate.left = undefined;
  return late ?? WITHDRAWN[standing.is];
}

function isGone({ composer, standing }: Look): boolean {
  return composer !== undefined && standing.is === "absent";
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
