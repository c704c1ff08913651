/**
 * Claude Code's composer as its screen shows it, and what keys do in it. Pure.
 *
 * Its lines are between the last two rules, and the first line begins with a prompt mark. A dialog or a menu has no
 * such area, or something else in it.
 */
import type { RitualWait } from "../../army/words.ts";
import { lazily } from "../../system/async.ts";
import { withoutBlanks } from "../../system/clean-text.ts";

/** The upper rule may contain the name of the conversation. */
const RULE = /^─{3,}(?: \S.* ─+)?$/;
const PROMPT_MARK = "❯";
/** The mark and a space; all further lines are indented by the same width. */
const INDENT = 2;

/**
 * The keys that put a prompt into the composer, send it and take it back. The cursor ends up at the end, where a person
 * continues typing.
 *
 * What is written to a pane in one write arrives in one piece: nothing that a person types can come in between. So
 * keys that belong together are one string here. What each key does was tested on the real program: Home and End move
 * from line to line and stop at the beginning and the end; a folded paste is one step of the cursor and is removed by
 * one Delete; Enter after a backslash breaks the line instead of sending. A control character directly after Enter
 * would make Enter part of a text, so only escape sequences follow it. If Enter arrives in one read with a paste,
 * Claude Code handles it last, after all other keys, wherever the cursor is by then.
 */
const promptKeys = {
  /** For any text: no character in it acts as a key. */
  paste: (text: string) => `${PASTE_BEGIN}${text}${PASTE_END}`,
  /**
   * Sends a prompt that has been seen alone in the composer if nothing follows it; otherwise only breaks the line after
   * it. To be written once: by the next time, the agent may have taken the prompt, and a person's words be in its place.
   *
   * A backslash and spaces are typed after the prompt. If there is nothing to step over, Right and Left then end one
   * step further to the left. In that case, as many Backspaces as there are spaces also remove the backslash, and Enter
   * sends the prompt with one space after it, which does no harm. Otherwise they remove only the spaces, and Enter,
   * coming after the backslash, breaks the line.
   */
  enterIfAlone(text: string): string {
    const guard = `\\${" ".repeat(BLANKS)}${RIGHT}${LEFT}${BACKSPACE.repeat(BLANKS)}`;
    return `${TO_BEGINNING}${RIGHT.repeat(promptUnits(text))}${guard}${ENTER}${TO_END}`;
  },
  /** Removes only the prompt, and what an Enter has left; undefined if it is not certain where the prompt is. */
  takeBack(text: string, found: FoundPrompt, entered: boolean): string | undefined {
    // If nothing is between the prompt and what follows it, Enter was lost.
    const isLost = found.is === "with-other-text" && found.unitsBefore === 0 && found.isTouched;
    const remove = DELETE.repeat(promptUnits(text) + (entered && !isLost ? LEFT_BY_ENTER : 0));
    if (found.is !== "with-other-text") return `${TO_BEGINNING}${remove}${TO_END}`;
    const { unitsBefore, linesBefore, isLast, afterBlanksOnly } = found;
    if (unitsBefore !== undefined) {
      // Spaces alone are invisible to the person, and would block every later prompt.
      const pass = (isLast && afterBlanksOnly ? DELETE : RIGHT).repeat(unitsBefore);
      return `${TO_BEGINNING}${pass}${remove}${TO_END}`;
    }
    if (linesBefore === undefined || entered) return undefined;
    // End moves to the end of the first line, then from line to line, whatever blanks a line ends in.
    const pass = END.repeat(linesBefore) + RIGHT;
    return `${TO_BEGINNING}${pass}${remove}${isLast ? BACKSPACE : ""}${TO_END}`;
  },
};

/** Line by line. */
type Screen = readonly string[];

export const claudeScreen = {
  /** The text in the composer, line by line as it is wrapped; undefined if there is no composer. */
  readComposer: (screen: Screen) =>
    // Blank lines count: a composer of several lines holds a draft, even if the window shows only its blank end.
    locateComposer(screen)
      ?.lines.map((line) => line.slice(INDENT).trimEnd())
      .join("\n"),
  findPrompt,
  /**
   * Whether the pane is scrolled back. An idle agent's cursor is in its composer; if it is not, the pane shows an earlier
   * part of the screen.
   */
  isScrolled: (screen: Screen, cursorRow: number | undefined): boolean => {
    const found = locateComposer(screen);
    if (found === undefined || cursorRow === undefined) return false;
    return cursorRow < found.firstRow || cursorRow >= found.firstRow + found.lines.length;
  },
  /** Whether the screen still shows a sent prompt that contains this word: it appears above the composer. */
  showsAsSent: (screen: Screen, word: string): boolean => {
    const composer = screen.findLastIndex((line) => line.startsWith(PROMPT_MARK));
    return drawnPart(screen.slice(0, Math.max(composer, 0)).join("")).includes(word);
  },
  /** The question that the program asks before its first prompt; undefined if it shows no known one. */
  firstQuestionOn: (screen: Screen) => FIRST_QUESTIONS.find(([, mark]) => mark.test(wordsOn(screen)))?.[0],
  /** Whether Ctrl-Z has made it leave its screen. */
  saysSuspended: (screen: Screen) => wordsOn(screen).includes(SUSPENDED_MARK),
  keys: promptKeys,
};

function locateComposer(screen: Screen): { firstRow: number; lines: string[] } | undefined {
  const lines = screen.map((line) => line.trimEnd());
  const lower = lines.findLastIndex((line) => RULE.test(line));
  const upper = lines.slice(0, Math.max(lower, 0)).findLastIndex((line) => RULE.test(line));
  const inside = lines.slice(upper + 1, Math.max(lower, 0));
  if (upper < 0 || !inside[0]?.startsWith(PROMPT_MARK)) return undefined;
  return { firstRow: upper + 1, lines: inside };
}

export type FoundPrompt =
  /** The composer holds exactly this prompt. */
  | { is: "alone" }
  /**
   * The prompt, or at least an unmistakable part of it, and other text. `unitsBefore` is undefined if it cannot be
   * counted reliably. `linesBefore`: the prompt begins a line of its own, after so many others. `isLast`: nothing
   * follows it. `isTouched`: something follows it without a blank or a line break.
   */
  | {
      is: "with-other-text";
      unitsBefore?: number | undefined;
      linesBefore?: number | undefined;
      isLast: boolean;
      isTouched: boolean;
      afterBlanksOnly: boolean;
    }
  /** Only its end is visible, because the composer is too small. */
  | { is: "cut-off" }
  | { is: "absent" };

/**
 * What of a text can be recognised on a screen: a narrow composer wraps anywhere, even inside words, and a terminal
 * may leave out marks and joiners.
 */
function drawnPart(text: string): string {
  return text.normalize("NFD").replaceAll(/[\s\p{M}\p{Cf}]/gu, "");
}

/**
 * Finds a prompt in the text of a composer. A long pasted prompt is folded into one word in brackets that states its
 * number of lines.
 */
function findPrompt(composer: string, text: string): FoundPrompt {
  const shown = drawnPart(composer);
  const form = isFolded(text) ? (foldedForm(text).exec(shown)?.[0] ?? "") : drawnPart(text);
  const start = form === "" ? -1 : shown.indexOf(form);
  if (start < 0) {
    if (shown !== "" && form.endsWith(shown)) return { is: "cut-off" };
    return hasPart(shown, form)
      ? { is: "with-other-text", isLast: false, isTouched: false, afterBlanksOnly: false }
      : { is: "absent" };
  }
  const before = rawPart(composer, start);
  // Spaces before it were typed by a person as well.
  if (shown.length === form.length && before === "") return { is: "alone" };
  const isLast = shown.length === start + form.length;
  const isTouched = !isLast && !/\s$/.test(rawPart(composer, start + form.length));
  const linesBefore = countLines(composer, before);
  const unitsBefore = countUnits(before);
  return { is: "with-other-text", unitsBefore, linesBefore, isLast, isTouched, afterBlanksOnly: start === 0 };
}

/**
 * The number of complete lines before a prompt; undefined if any of their ends may be where the composer wraps, or if
 * the first is blank, because its end is then no step away from the beginning.
 */
function countLines(composer: string, before: string): number | undefined {
  const lines = before.split("\n");
  if (lines.length === 1 || lines.pop() !== "" || lines[0]?.trim() === "") return undefined;
  const all = composer.split("\n");
  const width = Math.max(...all.map(leastWidth));
  const isRealEnd = (line: string, index: number): boolean => {
    const [nextWord = ""] = all[index + 1]?.split(" ") ?? [];
    return mostWidth(line) + 1 + mostWidth(nextWord) <= width;
  };
  return lines.every(isRealEnd) ? lines.length : undefined;
}

/** Characters other than ASCII may be one or two columns wide, or none. */
function leastWidth(text: string): number {
  return text.replaceAll(/[^ -~]/g, "").length;
}

function mostWidth(text: string): number {
  return text.length * 2 - leastWidth(text);
}

/** How many characters of a prompt are enough to recognise it. */
const UNMISTAKABLE = 16;

/** A terminal may garble the line because of a person's emoji, or a person may have moved the cursor. */
function hasPart(shown: string, form: string): boolean {
  for (let from = 0; from + UNMISTAKABLE <= form.length; from += 1)
    if (shown.includes(form.slice(from, from + UNMISTAKABLE))) return true;
  return false;
}

function foldedForm(text: string): RegExp {
  const lines = text.split("\n").length - 1;
  return new RegExp(String.raw`\[Pastedtext#\d+${lines > 0 ? String.raw`\+${lines}lines` : ""}\]`);
}

/** The first `count` non-blank characters, with the spaces between and after them. */
function rawPart(composer: string, count: number): string {
  let left = count;
  let part = "";
  for (const character of composer) {
    const { length } = drawnPart(character);
    if (length > 0 && left <= 0) break;
    left -= length;
    part += character;
  }
  return part;
}

/** Counts steps of the cursor; undefined for several lines, because a line end may be a wrap or a real one. */
function countUnits(text: string): number | undefined {
  if (text.includes("\n")) return undefined;
  return splitIntoSteps(text.replaceAll(/\[Pasted text #\d+(?: \+\d+ lines)?\]/g, "x")).length;
}

type FirstQuestion = Extract<RitualWait, "trust" | "api-key" | "login" | "bypass">;

/** The words change from release to release. */
const FIRST_QUESTIONS: readonly (readonly [FirstQuestion, RegExp])[] = [
  ["trust", /trustthisfolder|Accessingworkspace/],
  ["api-key", /usethisAPIkey/],
  ["bypass", /BypassPermissionsmode.*Yes,Iaccept/],
  ["login", /Selectloginmethod|Choosethetextstyle|Pastecodehereifprompted/],
];

/**
 * Ctrl-Z is meant to stop it, but the system does not stop a program in a pane, because no shell controls it there.
 * So it keeps running without its screen and without reading keys until it receives SIGCONT.
 */
const SUSPENDED_MARK = "hasbeensuspended.Run`fg`";

/** A narrow pane breaks words anywhere, so spaces are ignored. */
function wordsOn(screen: Screen): string {
  return withoutBlanks(screen.join(""));
}

const BLANKS = 3;
/** What such an Enter leaves after a prompt that was not sent: a line break or a space. */
const LEFT_BY_ENTER = 1;

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
