/** The pane into which a prompt is typed, and what it shows of that prompt. */
import type { HoldReason } from "../army/words.ts";
import { pause } from "../system/pause.ts";
import type { AgentScreen, Entered, Standing } from "./agent-link.ts";

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

export interface Left {
  text: string;
  /** What the pane showed before, as long as it has not changed since. */
  screen: string | undefined;
  entered: Entered;
  typedAt?: number;
  /** When keys were written to remove it. */
  takenBackAt?: number;
}

export interface Look {
  screen: string[];
  composer: string | undefined;
  standing: Standing;
}

const LOOK_EVERY_MS = 25;
const STILL_FOR_MS = 60;
const STILL_WITHIN_MS = 500;
/** After a stop, waiting takes at most this long. */
const STOPPED_WITHIN_MS = 700;

export function hasCompany(standing: Standing): standing is Extract<Standing, { unitsBefore: unknown }> {
  return standing.is === "beside" || standing.is === "split";
}

export function stands({ standing }: Look): boolean {
  return standing.is === "alone" || hasCompany(standing);
}

export async function lookFor(
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
export async function lookUntilStill(
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
export async function lookUntil(
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
