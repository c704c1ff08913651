/**
 * The keys that put a prompt into Claude Code's composer, send it, and take it back. Pure.
 *
 * What is written to a pane in one go arrives in one piece: nothing a person types can come between. So whatever has
 * to hold together is one string here. The meaning of each key was tried on the real program: Home and End step from
 * line to line and stay at the beginning and the end; a folded paste is one step of the cursor and goes with one
 * Delete; Enter behind a backslash breaks the line instead of sending. A control character right behind Enter would
 * make it part of a text, so only escape sequences follow it. In one read with a paste, Claude Code comes to Enter
 * last, after all other keys, wherever the cursor is by then.
 */
import { lazily } from "../../system/lazily.ts";
import type { PromptKeys } from "../agent-link.ts";

export const promptKeys: PromptKeys = {
  paste: (text) => `${PASTE_BEGIN}${text}${PASTE_END}`,
  typeAndEnter: (text) => typeKeys(text) + enterIfAloneKeys(promptUnits(text), 1),
  // It was seen to stand there alone, so what has come since stands behind it, and goes on there.
  enterIfAlone: (text, attempt) => enterIfAloneKeys(promptUnits(text), attempt) + TO_END,
  takeBack({ text, unitsBefore, entered }) {
    const units = promptUnits(text);
    if (entered === "with-text" && unitsBefore < units) {
      return takeSplitBackKeys({ unitsBefore, first: units - unitsBefore, last: unitsBefore });
    }
    return takeBackKeys(unitsBefore, units + (entered === "no" ? 0 : LEFT_BY_ENTER));
  },
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

/** More than a composer ever shows. */
const MOST_LINES = 60;
const TO_BEGINNING = HOME.repeat(MOST_LINES);
const TO_END = END.repeat(MOST_LINES);

/**
 * As letters, because an Enter that comes in one piece with a paste is not held back by a backslash. In vim's normal
 * mode letters are commands: one that begins to insert goes first, and is taken back where it was only a letter.
 */
function typeKeys(text: string): string {
  return `i${LEFT}${DELETE}${text}`;
}

/** From how much on a pasted text is folded into one word. */
const FOLDED_LINES = 4;
const FOLDED_LENGTH = 800;

export function isFolded(text: string): boolean {
  return text.length > FOLDED_LENGTH || text.split("\n").length >= FOLDED_LINES;
}

/** How many steps of the cursor a pasted text is long. */
function promptUnits(text: string): number {
  return isFolded(text) ? 1 : splitIntoSteps(text).length;
}

const segmenter = lazily(() => new Intl.Segmenter());

/** What the cursor steps over at a time. */
export function splitIntoSteps(text: string): string[] {
  return Array.from(segmenter().segment(text), ({ segment }) => segment);
}

const BLANKS = 3;

/**
 * Sends a prompt that stands at the beginning, if nothing stands behind it; else only breaks the line behind it.
 *
 * Behind the prompt go a backslash and blanks. Right and Left then end one step further to the left if there was
 * nothing to step over. As many Backspaces as there are blanks remove the backslash in that case, and Enter sends the
 * prompt with one blank behind it, which does not count; else they remove the blanks alone, and Enter, behind the
 * backslash, breaks the line. An Enter that nobody heard leaves the blank: the next try removes it first.
 */
function enterIfAloneKeys(units: number, attempt: number): string {
  const behind = attempt > 1 ? DELETE : "";
  const guard = `\\${" ".repeat(BLANKS)}${RIGHT}${LEFT}${BACKSPACE.repeat(BLANKS)}`;
  return `${TO_BEGINNING}${RIGHT.repeat(units)}${behind}${guard}${ENTER}`;
}

/** What such an Enter leaves behind a prompt that was not sent: a line end, or a blank. */
const LEFT_BY_ENTER = 1;

/** Removes so many units behind so many others, and leaves the cursor at the end, where a person goes on typing. */
function takeBackKeys(unitsBefore: number, units: number): string {
  return `${TO_BEGINNING}${RIGHT.repeat(unitsBefore)}${DELETE.repeat(units)}${TO_END}`;
}

/** The same for a prompt that the person's words have split: one part behind so many units, the other at the end. */
function takeSplitBackKeys({ unitsBefore, first, last }: Split): string {
  return `${TO_BEGINNING}${RIGHT.repeat(unitsBefore)}${DELETE.repeat(first + LEFT_BY_ENTER)}${TO_END}${BACKSPACE.repeat(last)}`;
}

/** How many units stand before a prompt, and how many its two parts have. */
interface Split {
  unitsBefore: number;
  first: number;
  last: number;
}
