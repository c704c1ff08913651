/**
 * Ringing by typing, so that nothing is ever typed where it could do harm.
 *
 * The pane is the only one of its name and alive, nobody else of ours types into it, its agent is idle and its
 * composer empty. Then the trigger is typed and looked at: only if it stands there alone is it sent. Anything else
 * that is found on the way takes the text back and holds the bell. The text is never typed twice; at most one more
 * Enter follows the first.
 */
import type { Role } from "../army/roles.ts";
import { endsWith, holdsOnly, readComposer } from "../agent/composer.ts";
import type { HoldReason } from "../mail/agent-report.ts";
import { pause } from "../system/pause.ts";
import { findPane } from "../zellij/panes.ts";
import { typistAt, type Typist } from "../zellij/typing.ts";
import { isTrigger } from "./trigger.ts";
import type { Zellij } from "../zellij/zellij.ts";

export interface Keyboard {
  zellij: Zellij;
  session: string;
  role: Role;
  /** The number of its pane, if it is known from elsewhere: a pane of its name that is another is not its own. */
  pane: number | undefined;
  /** Runs an action while nobody else of ours types into this pane. */
  alone: <Result>(action: () => Promise<Result>) => Promise<Result>;
  /** Undefined while the agent is idle, else why nothing may be typed. */
  whyNot: (screen: string[]) => HoldReason | undefined;
  /** Whether a turn has begun since. */
  hasBegun: () => boolean;
}

const SETTLE_MS = 200;
const TAKEN_WITHIN_MS = 1_500;
const LOOK_EVERY_MS = 50;

/** Undefined if the text was sent, else why not. */
export function ringByTyping(keyboard: Keyboard, text: string): Promise<HoldReason | undefined> {
  return keyboard.alone(async () => {
    const pane = await findPane(keyboard.zellij, keyboard.session, keyboard.role);
    if (typeof pane === "string") return pane;
    if (keyboard.pane !== undefined && keyboard.pane !== pane.id) return "no-pane";
    return typeTrigger(keyboard, typistAt(keyboard.zellij, keyboard.session, pane), text);
  });
}

async function typeTrigger(
  keyboard: Keyboard,
  typist: Typist,
  text: string,
): Promise<HoldReason | undefined> {
  const before = await typist.screen();
  const refusal = keyboard.whyNot(before) ?? (await unlessEmpty(typist, readComposer(before)));
  if (refusal !== undefined) return refusal;
  await typist.write(text);
  try {
    return await submitTrigger(keyboard, typist, text);
  } catch {
    // Zellij no longer shows what became of it. The composer was empty: what these take back can only be ours.
    await typist.erase(Array.from(text).length);
    return "zellij-failed";
  }
}

async function submitTrigger(
  keyboard: Keyboard,
  typist: Typist,
  text: string,
): Promise<HoldReason | undefined> {
  await pause(SETTLE_MS);
  const screen = await typist.screen();
  const composer = readComposer(screen);
  if (composer === undefined || !holdsOnly(composer, text)) {
    await takeBack(typist, text, composer);
    // An empty one means that what was typed never arrived.
    return composer === undefined ? "no-composer" : composer === "" ? "not-taken" : "draft";
  }
  // Something may have begun in the meantime that would take an Enter for an answer.
  const late = keyboard.whyNot(screen);
  if (late !== undefined) {
    await takeBack(typist, text, composer);
    return late;
  }
  await typist.pressEnter();
  if (await wasTaken(keyboard, typist, text)) return undefined;
  const again = await typist.screen();
  // Only where it still stands, and stands alone: a dialog that has come up since would take the Enter.
  if (keyboard.whyNot(again) === undefined && holdsOnly(readComposer(again) ?? "", text)) {
    await typist.pressEnter();
    if (await wasTaken(keyboard, typist, text)) return undefined;
  }
  await takeBack(typist, text, readComposer(await typist.screen()));
  return "not-taken";
}

/** A trigger that an earlier ring could not send is in nobody's way but ours. */
async function unlessEmpty(typist: Typist, composer: string | undefined): Promise<HoldReason | undefined> {
  if (composer === undefined) return "no-composer";
  if (composer === "") return undefined;
  if (!isTrigger(composer)) return "draft";
  await typist.erase(2 * composer.length);
  await pause(SETTLE_MS);
  return readComposer(await typist.screen()) === "" ? undefined : "draft";
}

/**
 * Removes what we typed, and only if the cursor stands behind it. A composer in a mode where letters are commands
 * has swallowed the first of them: since it was empty before, all that is there is ours.
 */
async function takeBack(typist: Typist, text: string, composer: string | undefined): Promise<void> {
  if (composer === undefined || composer === "") return;
  if (endsWith(composer, text) || endsWith(text, composer)) await typist.erase(Array.from(text).length);
}

async function wasTaken({ hasBegun }: Keyboard, typist: Typist, text: string): Promise<boolean> {
  const until = Date.now() + TAKEN_WITHIN_MS;
  while (Date.now() < until) {
    if (hasBegun()) return true;
    const composer = readComposer(await typist.screen());
    if (composer !== undefined && !holdsOnly(composer, text)) return true;
    await pause(LOOK_EVERY_MS);
  }
  return false;
}
