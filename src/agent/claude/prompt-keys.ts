/**
 * The keys that put a prompt into Claude Code's composer, send it and take it back. Pure.
 *
 * What is written to a pane in one write arrives in one piece: nothing that a person types can come in between. So
 * keys that belong together are one string here. What each key does was tested on the real program: Home and End move
 * from line to line and stop at the beginning and the end; a folded paste is one step of the cursor and is removed by
 * one Delete; Enter after a backslash breaks the line instead of sending. A control character directly after Enter
 * would make Enter part of a text, so only escape sequences follow it. If Enter arrives in one read with a paste,
 * Claude Code handles it last, after all other keys, wherever the cursor is by then.
 */
import { lazily } from "../../system/async.ts";
import type { PromptKeys } from "../agent-link.ts";

export const promptKeys: PromptKeys = {
  paste: (text) => `${PASTE_BEGIN}${text}${PASTE_END}`,
  // The prompt was seen alone, so anything typed since comes after it, and the person continues at the end.
  enterIfAlone: (text, attempt) => enterIfAloneKeys(promptUnits(text), attempt) + TO_END,
  // The cursor ends up at the end, where a person continues typing.
  takeBack({ text, unitsBefore, keepsBefore, entered }) {
    const kept = keepsBefore ? unitsBefore : 0;
    const removed = unitsBefore - kept + promptUnits(text) + (entered ? LEFT_BY_ENTER : 0);
    return `${TO_BEGINNING}${RIGHT.repeat(kept)}${DELETE.repeat(removed)}${TO_END}`;
  },
  // End moves to the end of the first line, then from line to line, whatever blanks a line ends in.
  takeLineBack: ({ text, linesBefore, isLast }) =>
    `${TO_BEGINNING}${END.repeat(linesBefore)}${RIGHT}${DELETE.repeat(promptUnits(text))}${isLast ? BACKSPACE : ""}${TO_END}`,
};

const PASTE_BEGIN = "\u001b[200~";
const PASTE_END = "\u001b[201~";
const HOME = "\u001b[H";
const END = "\u001b[F";
const RIGHT = "\u001b[C";
const LEFT = "\u001b[D";
const DELETE = "\u001b[3~";
const BACKSPACE = "\u007f";
const ENTER = "\r";

/** More lines than a composer ever shows. */
const MOST_LINES = 60;
const TO_BEGINNING = HOME.repeat(MOST_LINES);
const TO_END = END.repeat(MOST_LINES);

/** From this size on, a pasted text is folded into one word. */
const FOLDED_LINES = 4;
const FOLDED_LENGTH = 800;

export function isFolded(text: string): boolean {
  return asPasted(text).length > FOLDED_LENGTH || text.split("\n").length >= FOLDED_LINES;
}

/** The length of a pasted text in steps of the cursor. */
function promptUnits(text: string): number {
  return isFolded(text) ? 1 : splitIntoSteps(asPasted(text)).length;
}

/** A text that is not folded: a tab is shown as four spaces, and the cursor steps over them one by one. */
export function asPasted(text: string): string {
  return text.replaceAll("\t", " ".repeat(4));
}

const segmenter = lazily(() => new Intl.Segmenter());

/** The pieces that the cursor steps over. */
export function splitIntoSteps(text: string): string[] {
  return Array.from(segmenter().segment(text), ({ segment }) => segment);
}

const BLANKS = 3;

/**
 * Sends a prompt at the beginning of the composer if nothing follows it; otherwise only breaks the line after it.
 *
 * A backslash and spaces are typed after the prompt. If there is nothing to step over, Right and Left then end one
 * step further to the left. In that case, as many Backspaces as there are spaces also remove the backslash, and Enter
 * sends the prompt with one space after it, which does no harm. Otherwise they remove only the spaces, and Enter,
 * coming after the backslash, breaks the line. An Enter that was not heard leaves the space, so the next attempt
 * removes it first.
 */
function enterIfAloneKeys(units: number, attempt: number): string {
  const behind = attempt > 1 ? DELETE : "";
  const guard = `\\${" ".repeat(BLANKS)}${RIGHT}${LEFT}${BACKSPACE.repeat(BLANKS)}`;
  return `${TO_BEGINNING}${RIGHT.repeat(units)}${behind}${guard}${ENTER}`;
}

/** What such an Enter leaves after a prompt that was not sent: a line break or a space. */
const LEFT_BY_ENTER = 1;
