/**
 * The text in the composer, and how typing changes it. Pure.
 *
 * A long paste is folded: in the text it is a single character from Unicode's private plane, which stands for one of
 * `folds`.
 */
import { asPasted, isFolded } from "../claude/prompt-keys.ts";

export interface PromptDraft {
  text: string;
  /** Where the next character is inserted. */
  cursor: number;
  folds: readonly string[];
}

export const EMPTY_DRAFT: PromptDraft = { text: "", cursor: 0, folds: [] };

export function draftOf(text: string): PromptDraft {
  return insert(EMPTY_DRAFT, text);
}

const FIRST_FOLD = 0xf0000;
const FOLD = /[\u{f0000}-\u{ffffd}]/gu;

/** Inserts pasted text, folded if it is long. */
export function paste(draft: PromptDraft, piece: string): PromptDraft {
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

export function insert(draft: PromptDraft, piece: string): PromptDraft {
  const { text, cursor } = draft;
  const longer = text.slice(0, cursor) + piece + text.slice(cursor);
  return { ...draft, text: longer, cursor: cursor + piece.length };
}

/** Removes what a person sees as one character before the cursor. */
export function erase(draft: PromptDraft): PromptDraft {
  const { text, cursor } = draft;
  const start = previousEdge(draft);
  return { ...draft, text: text.slice(0, start) + text.slice(cursor), cursor: start };
}

/** The same after the cursor. */
export function eraseNext(draft: PromptDraft): PromptDraft {
  const { text, cursor } = draft;
  return { ...draft, text: text.slice(0, cursor) + text.slice(nextEdge(draft)) };
}

export type Move = "left" | "right" | "home" | "end";

export function move(draft: PromptDraft, where: Move): PromptDraft {
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
