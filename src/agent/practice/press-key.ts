/**
 * What a key does to the draft, or to the question that replaces it. Pure.
 *
 * In a question, Enter gives the selected answer, which is "yes" unless the person moved the selection. Claude Code
 * does the same, which is why nothing may press Enter in an agent's pane without looking first.
 */
import type { Key } from "./read-keys.ts";
import { asPasted, isFolded } from "../claude/prompt-keys.ts";

export interface Question {
  lines: readonly string[];
  chosen: "yes" | "no";
}

export interface ComposerState {
  draft: PromptDraft;
  question: Question | undefined;
  /** Ctrl-C was the last key; a second one quits. */
  leaving: boolean;
}

export type Deed =
  | { deed: "submit"; prompt: string }
  | { deed: "answer"; yes: boolean }
  | { deed: "interrupt" }
  | { deed: "leave" };

export interface Pressed {
  composer: ComposerState;
  deed?: Deed;
}

const EMPTY_DRAFT: PromptDraft = { text: "", cursor: 0, folds: [] };

export const EMPTY_COMPOSER: ComposerState = { draft: EMPTY_DRAFT, question: undefined, leaving: false };

export function pressKey(composer: ComposerState, key: Key): Pressed {
  if (key.key === "interrupt") return pressInterrupt(composer);
  const staying = { ...composer, leaving: false };
  return composer.question ? answerWith(staying, composer.question, key) : typeKey(staying, key);
}

function pressInterrupt(composer: ComposerState): Pressed {
  if (composer.leaving) return { composer, deed: { deed: "leave" } };
  const left = { ...composer, draft: EMPTY_DRAFT, leaving: true };
  return { composer: left, deed: composer.question ? { deed: "answer", yes: false } : { deed: "interrupt" } };
}

function answerWith(composer: ComposerState, question: Question, key: Key): Pressed {
  const answer = (yes: boolean): Pressed => ({ composer, deed: { deed: "answer", yes } });
  const choose = (chosen: Question["chosen"]): Pressed => ({
    composer: { ...composer, question: { ...question, chosen } },
  });
  if (key.key === "enter") return answer(question.chosen === "yes");
  if (key.key === "escape") return answer(false);
  if (key.key === "up") return choose("yes");
  if (key.key === "down") return choose("no");
  // A digit within other text is part of a paste and has no effect.
  if (key.key === "text" && key.text === "1") return answer(true);
  if (key.key === "text" && key.text === "2") return answer(false);
  return { composer };
}

function typeKey(composer: ComposerState, key: Key): Pressed {
  const { draft } = composer;
  const now = (changed: PromptDraft): Pressed => ({ composer: { ...composer, draft: changed } });
  switch (key.key) {
    case "text":
      return now(insert(draft, key.text));
    case "paste":
      return now(paste(draft, key.text));
    case "newline":
      return now(insert(draft, "\n"));
    case "backspace":
      return now(erase(draft));
    case "delete":
      return now(eraseNext(draft));
    case "clear":
      return now(EMPTY_DRAFT);
    case "left":
    case "right":
    case "home":
    case "end":
      return now(move(draft, key.key));
    case "enter":
      // After a backslash, Enter breaks the line, as in Claude Code.
      if (draft.text[draft.cursor - 1] === "\\") return now(insert(erase(draft), "\n"));
      if (draft.text.trim() === "") return { composer };
      return {
        ...now(EMPTY_DRAFT),
        deed: { deed: "submit", prompt: unfold({ ...draft, text: draft.text.trim() }) },
      };
    case "escape":
      return { composer, deed: { deed: "interrupt" } };
    case "end-of-input":
      return draft.text === "" ? { composer, deed: { deed: "leave" } } : { composer };
    case "up":
    case "down":
    case "interrupt":
      return { composer };
  }
}

/**
 * The text in the composer. A long paste is folded: in the text it is a single character from Unicode's private plane,
 * which stands for one of `folds`.
 */
export interface PromptDraft {
  text: string;
  /** Where the next character is inserted. */
  cursor: number;
  folds: readonly string[];
}

export function draftOf(text: string): PromptDraft {
  return insert(EMPTY_DRAFT, text);
}

const FIRST_FOLD = 0xf0000;
const FOLD = /[\u{f0000}-\u{ffffd}]/gu;

/** Inserts pasted text, folded if it is long. */
function paste(draft: PromptDraft, piece: string): PromptDraft {
  if (!isFolded(piece)) return insert(draft, asPasted(piece));
  const fold = String.fromCodePoint(FIRST_FOLD + draft.folds.length);
  return insert({ ...draft, folds: [...draft.folds, piece] }, fold);
}

/** The text that would be sent. */
export function unfold({ text, folds }: PromptDraft): string {
  return text.replaceAll(FOLD, (fold) => folds[indexOf(fold)] ?? "");
}

/** The text that is shown, and the position of the cursor in it. */
export function showFolds({ text, cursor, folds }: PromptDraft): { text: string; cursor: number } {
  const show = (part: string): string =>
    part.replaceAll(FOLD, (fold) => {
      const lines = (folds[indexOf(fold)] ?? "").split("\n").length - 1;
      return `[Pasted text #${indexOf(fold) + 1}${lines > 0 ? ` +${lines} lines` : ""}]`;
    });
  return { text: show(text), cursor: show(text.slice(0, cursor)).length };
}

function indexOf(fold: string): number {
  return (fold.codePointAt(0) ?? FIRST_FOLD) - FIRST_FOLD;
}

function insert(draft: PromptDraft, piece: string): PromptDraft {
  const { text, cursor } = draft;
  const longer = text.slice(0, cursor) + piece + text.slice(cursor);
  return { ...draft, text: longer, cursor: cursor + piece.length };
}

/** Removes what a person sees as one character before the cursor. */
function erase(draft: PromptDraft): PromptDraft {
  const { text, cursor } = draft;
  const start = previousEdge(draft);
  return { ...draft, text: text.slice(0, start) + text.slice(cursor), cursor: start };
}

/** The same after the cursor. */
function eraseNext(draft: PromptDraft): PromptDraft {
  const { text, cursor } = draft;
  return { ...draft, text: text.slice(0, cursor) + text.slice(nextEdge(draft)) };
}

type Move = "left" | "right" | "home" | "end";

function move(draft: PromptDraft, where: Move): PromptDraft {
  switch (where) {
    case "left":
      return { ...draft, cursor: previousEdge(draft) };
    case "right":
      return { ...draft, cursor: nextEdge(draft) };
    case "home":
      return { ...draft, cursor: lineStart(draft) };
    case "end":
      return { ...draft, cursor: lineEnd(draft) };
  }
}

/** As in Claude Code, Home and End go on to the next line if the cursor is already there. */
function lineStart({ text, cursor }: PromptDraft): number {
  const start = text.lastIndexOf("\n", cursor - 1) + 1;
  return cursor === 0 || start < cursor ? start : text.lastIndexOf("\n", Math.max(cursor - 2, 0)) + 1;
}

function lineEnd({ text, cursor }: PromptDraft): number {
  const end = text.indexOf("\n", text[cursor] === "\n" ? cursor + 1 : cursor);
  return end < 0 ? text.length : end;
}

const segmenter = new Intl.Segmenter();

/** No character is longer than this, and segmenting a whole ritual at each key would be slow. */
const NEIGHBOURHOOD = 64;

function previousEdge({ text, cursor }: PromptDraft): number {
  const before = text.slice(Math.max(0, cursor - NEIGHBOURHOOD), cursor);
  const last = Array.from(segmenter.segment(before)).at(-1);
  return cursor - (last?.segment.length ?? 0);
}

function nextEdge({ text, cursor }: PromptDraft): number {
  const [first] = segmenter.segment(text.slice(cursor, cursor + NEIGHBOURHOOD));
  return cursor + (first?.segment.length ?? 0);
}
