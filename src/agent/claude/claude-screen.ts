/**
 * Claude Code's composer as its screen shows it. Pure.
 *
 * Its lines are between the last two rules, and the first line begins with a prompt mark. A dialog or a menu has no
 * such area, or something else in it.
 */
import type { FoundPrompt, AgentScreen, FirstQuestion } from "../agent-link.ts";
import { isFolded, splitIntoSteps, promptKeys } from "./prompt-keys.ts";
import { withoutBlanks } from "../../system/clean-text.ts";

/** The upper rule may contain the name of the conversation. */
const RULE = /^─{3,}(?: \S.* ─+)?$/;
const PROMPT_MARK = "❯";
/** The mark and a space; all further lines are indented by the same width. */
const INDENT = 2;

/** The text in the composer, line by line as it is wrapped; undefined if there is no composer. */
export function readComposer(screen: readonly string[]): string | undefined {
  const found = locateComposer(screen);
  // Blank lines count: a composer of several lines holds a draft, even if the window shows only its blank end.
  return found?.lines.map((line) => line.slice(INDENT).trimEnd()).join("\n");
}

/** An idle agent's cursor is in its composer. If it is not, the pane shows an earlier part of the screen. */
export function isScrolled(screen: readonly string[], cursorRow: number | undefined): boolean {
  const found = locateComposer(screen);
  if (found === undefined || cursorRow === undefined) return false;
  return cursorRow < found.firstRow || cursorRow >= found.firstRow + found.lines.length;
}

function locateComposer(screen: readonly string[]): { firstRow: number; lines: string[] } | undefined {
  const lines = screen.map((line) => line.trimEnd());
  const lower = lines.findLastIndex((line) => RULE.test(line));
  const upper = lines.slice(0, Math.max(lower, 0)).findLastIndex((line) => RULE.test(line));
  const inside = lines.slice(upper + 1, Math.max(lower, 0));
  if (upper < 0 || !inside[0]?.startsWith(PROMPT_MARK)) return undefined;
  return { firstRow: upper + 1, lines: inside };
}

/**
 * What of a text can be recognised on a screen: a narrow composer wraps anywhere, even inside words, and a terminal
 * may leave out marks and joiners.
 */
function drawnPart(text: string): string {
  return text.normalize("NFD").replaceAll(/[\s\p{M}\p{Cf}]/gu, "");
}

/**
 * Finds a prompt in a composer. A long pasted prompt is folded into one word in brackets that states its number of
 * lines.
 */
export function findPrompt(composer: string, text: string): FoundPrompt {
  const shown = drawnPart(composer);
  const form = isFolded(text) ? (foldedForm(text).exec(shown)?.[0] ?? "") : drawnPart(text);
  const start = form === "" ? -1 : shown.indexOf(form);
  if (start < 0) {
    const isCutOff = shown !== "" && form.endsWith(shown);
    return isCutOff ? { is: "cut-off" } : findPart(shown, form);
  }
  const before = rawPart(composer, start);
  // Spaces before it were typed by a person as well.
  if (shown.length === form.length && before === "") return { is: "alone" };
  const isLast = shown.length === start + form.length;
  const linesBefore = countLines(composer, before);
  const unitsBefore = countUnits(before);
  return { is: "with-other-text", unitsBefore, linesBefore, isLast, afterBlanksOnly: start === 0 };
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

/**
 * Finds a part of a prompt: a terminal may garble the line because of a person's emoji, or a person may have moved
 * the cursor.
 */
function findPart(shown: string, form: string): FoundPrompt {
  for (let from = 0; from + UNMISTAKABLE <= form.length; from += 1) {
    if (shown.includes(form.slice(from, from + UNMISTAKABLE)))
      return { is: "with-other-text", unitsBefore: undefined, isLast: false, afterBlanksOnly: false };
  }
  return { is: "absent" };
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

/** A sent prompt appears above the composer. */
function showsAsSent(screen: readonly string[], word: string): boolean {
  const composer = screen.findLastIndex((line) => line.startsWith(PROMPT_MARK));
  return drawnPart(screen.slice(0, Math.max(composer, 0)).join("")).includes(word);
}

/** What Claude Code shows besides its composer, recognised by words on its screen. Pure. */

export const claudeScreen: AgentScreen = {
  readComposer,
  findPrompt,
  isScrolled,
  showsAsSent,
  firstQuestionOn: (screen) => FIRST_QUESTIONS.find(([, mark]) => mark.test(wordsOn(screen)))?.[0],
  saysSuspended: (screen) => wordsOn(screen).includes(SUSPENDED_MARK),
  keys: promptKeys,
};

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
function wordsOn(screen: readonly string[]): string {
  return withoutBlanks(screen.join(""));
}
