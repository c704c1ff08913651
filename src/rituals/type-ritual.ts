/**
 * Types one ritual into one pane, so that it becomes a prompt of its own, once.
 *
 * The composer was empty. The text is typed and has time to arrive; only when it stands in the composer, and no more
 * of it comes, Enter follows. A dialog that came up in between has swallowed the text, and gets no Enter. Then there
 * must be evidence that the prompt was taken: the agent's relay says so, or the composer is empty again. Without it,
 * one more Enter, if something still stands there; the text is never typed twice.
 */
import { pause } from "../system/pause.ts";

const BEFORE_ENTER_MS = 200;
const LOOK_EVERY_MS = 100;
/** A busy machine may need seconds to draw a long text. */
const STANDS_WITHIN_MS = 10_000;
const TAKEN_WITHIN_MS = 3_000;
/** A half-typed prompt is worse than a moment's delay, but nobody waits long who was asked to stop. */
const STOPPED_WITHIN_MS = 700;

/** A pane and its agent. None of these throws because Zellij failed once: what the screen shows decides. */
export interface Desk {
  write: (text: string) => Promise<void>;
  pressEnter: () => Promise<void>;
  /** What stands in the composer; undefined if there is none to be seen. */
  composer: () => Promise<string | undefined>;
  /** What is known besides the screen. */
  isTaken: () => boolean;
  stop: AbortSignal;
}

export async function typeRitual(desk: Desk, text: string): Promise<"given" | "not-taken"> {
  await desk.write(text);
  await pause(BEFORE_ENTER_MS);
  if (!(await stands(desk))) return "not-taken";
  await desk.pressEnter();
  if (await wasTaken(desk)) return "given";
  if (!(await desk.composer())) return "not-taken";
  await desk.pressEnter();
  return (await wasTaken(desk)) ? "given" : "not-taken";
}

/** True once two looks in a row saw the same: a long text arrives in several pieces. */
function stands(desk: Desk): Promise<boolean> {
  let before: string | undefined;
  return holdsWithin(STANDS_WITHIN_MS, desk.stop, async () => {
    const composer = await desk.composer();
    const same = composer === before;
    before = composer;
    return composer !== undefined && composer !== "" && same;
  });
}

function wasTaken({ isTaken, composer, stop }: Desk): Promise<boolean> {
  return holdsWithin(TAKEN_WITHIN_MS, stop, async () => isTaken() || (await composer()) === "");
}

async function holdsWithin(
  milliseconds: number,
  stop: AbortSignal,
  condition: () => Promise<boolean>,
): Promise<boolean> {
  const began = Date.now();
  while (Date.now() - began < (stop.aborted ? STOPPED_WITHIN_MS : milliseconds)) {
    if (await condition()) return true;
    await pause(LOOK_EVERY_MS);
  }
  return false;
}
