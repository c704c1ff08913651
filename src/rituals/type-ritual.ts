/**
 * Types one ritual into one pane, so that it becomes a prompt of its own, once.
 *
 * The composer was empty. The text is typed and has time to arrive; only when it stands in the composer, and no more
 * of it comes, Enter follows. A dialog that came up in between has swallowed the text, and gets no Enter. Then there
 * must be evidence that the prompt was taken: the agent's relay says so, or the composer is empty again. Without it,
 * one more Enter, if something still stands there; the text is never typed twice.
 */
import { readComposer } from "../agent/composer.ts";
import { pause } from "../system/pause.ts";
import type { Typist } from "../zellij/typing.ts";

const BEFORE_ENTER_MS = 200;
const LOOK_EVERY_MS = 100;
/** A busy machine may need seconds to draw a long text. */
const STANDS_WITHIN_MS = 10_000;
const TAKEN_WITHIN_MS = 3_000;
/** A half-typed prompt is worse than a moment's delay, but nobody waits long who was asked to stop. */
const STOPPED_WITHIN_MS = 700;

export interface Evidence {
  /** What is known besides the screen. */
  isTaken: () => boolean;
  stop: AbortSignal;
}

export async function typeRitual(
  typist: Typist,
  text: string,
  evidence: Evidence,
): Promise<"given" | "not-taken"> {
  const look = async (): Promise<string | undefined> => readComposer(await typist.screen());
  await typist.write(text);
  await pause(BEFORE_ENTER_MS);
  if (!(await stands(look, evidence))) return "not-taken";
  await typist.pressEnter();
  if (await wasTaken(look, evidence)) return "given";
  if (!(await look())) return "not-taken";
  await typist.pressEnter();
  return (await wasTaken(look, evidence)) ? "given" : "not-taken";
}

type Look = () => Promise<string | undefined>;

/** True once two looks in a row saw the same: a long text arrives in several pieces. */
function stands(look: Look, { stop }: Evidence): Promise<boolean> {
  let before: string | undefined;
  return holdsWithin(STANDS_WITHIN_MS, stop, async () => {
    const composer = await look();
    const same = composer === before;
    before = composer;
    return composer !== undefined && composer !== "" && same;
  });
}

function wasTaken(look: Look, { isTaken, stop }: Evidence): Promise<boolean> {
  return holdsWithin(TAKEN_WITHIN_MS, stop, async () => isTaken() || (await look()) === "");
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
