/**
 * What a key does to the draft, or to the question that replaces it. Pure.
 *
 * In a question, Enter gives the selected answer, which is "yes" unless the person moved the selection. Claude Code
 * does the same, which is why nothing may press Enter in an agent's pane without looking first.
 */
import { EMPTY_DRAFT, erase, eraseNext, insert, move, paste, unfold, type PromptDraft } from "./draft.ts";
import type { Key } from "./read-keys.ts";

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
