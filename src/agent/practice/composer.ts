/**
 * The composer: the keys that a terminal in raw mode sends, and what they do to the draft, or to the question that
 * replaces it.
 *
 * A person's Enter is a CR in a read of its own, or after a few characters. A CR in a long piece of text came with a
 * paste and is a line end in it. Claude Code does the same, so programs that type must pause before Enter.
 *
 * In a question, Enter gives the selected answer, which is "yes" unless the person moved the selection. Claude Code
 * does the same, which is why nothing may press Enter in an agent's pane without looking first.
 */
import { StringDecoder } from "node:string_decoder";
import { cleanText } from "../../system/clean-text.ts";
import { asPasted, isFolded, splitIntoSteps } from "../claude/claude-screen.ts";

const NAMES = {
  "\r": "enter",
  "\n": "newline",
  "\u007f": "backspace",
  "\b": "backspace",
  "\u0015": "clear",
  "\u0003": "interrupt",
  "\u0004": "end-of-input",
  "\u0001": "home",
  "\u0005": "end",
  "\u001b": "escape",
  "\u001b[A": "up",
  "\u001b[B": "down",
  "\u001b[C": "right",
  "\u001b[D": "left",
  "\u001b[3~": "delete",
  "\u001b[H": "home",
  "\u001b[F": "end",
} as const;

type KeyName = (typeof NAMES)[keyof typeof NAMES];

export type Key = { key: "text" | "paste"; text: string } | { key: KeyName };

const NAMED = new Map<string, KeyName>(Object.entries(NAMES));

/** No person types this many bytes of text in one read. */
const BURST_BYTES = 64;

const PASTE_BEGIN = "\u001b[200~";
const PASTE_END = "\u001b[201~";
/** A paste, an escape sequence, a control character, or text with its line ends. */
const TOKEN =
  /\u001b\[200~([^]*?)\u001b\[201~|\u001b\[[0-9;?]*[@-~]|\u001bO[A-Z]|\u001b[^[\u001b]?|[^\P{Cc}\t\r\n]|[\t\r\n\P{Cc}]+/gu;
/** The beginning of a sequence whose end arrives with the next read. */
const CUT_OFF = /\u001b\[[0-9;?]*$/;

export function createKeyReader(): (bytes: Buffer) => Key[] {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  return (bytes) => {
    const input = rest + decoder.write(bytes);
    const openPaste = input.indexOf(PASTE_BEGIN, input.lastIndexOf(PASTE_END) + 1);
    rest = openPaste === -1 ? (CUT_OFF.exec(input)?.[0] ?? "") : input.slice(openPaste);
    const whole = input.slice(0, input.length - rest.length);
    return Array.from(whole.matchAll(TOKEN)).flatMap(([token, pasted]) =>
      pasted === undefined ? keysOf(token) : textKey("paste", cleanText(pasted)),
    );
  };
}

function keysOf(token: string): Key[] {
  const name = NAMED.get(token);
  if (name) return [{ key: name }];
  // Anything else that begins with a control character is a key without a meaning here.
  if (/^[^\P{Cc}\t\r\n]/u.test(token)) return [];
  const isBurst = Buffer.byteLength(token) >= BURST_BYTES;
  const pieces = (isBurst ? token.replaceAll("\r", "\n") : token).split(/([\r\n])/);
  return pieces.flatMap((piece) => {
    const named = NAMED.get(piece);
    return named ? [{ key: named }] : textKey("text", piece);
  });
}

function textKey(key: "text" | "paste", text: string): Key[] {
  return text === "" ? [] : [{ key, text }];
}

export interface PaneQuestion {
  lines: readonly string[];
  chosen: "yes" | "no";
}

export interface ComposerState {
  draft: PromptDraft;
  question: PaneQuestion | undefined;
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

/**
 * The text in the composer. A long paste is folded: in the text it is a single character from Unicode's private plane,
 * which stands for one of `folds`.
 */
export interface PromptDraft {
  text: string;
  cursor: number;
  folds: readonly string[];
}

const EMPTY_DRAFT: PromptDraft = { text: "", cursor: 0, folds: [] };

export const EMPTY_COMPOSER: ComposerState = { draft: EMPTY_DRAFT, question: undefined, leaving: false };

export function pressKey(before: ComposerState, key: Key): Pressed {
  const { question } = before;
  if (key.key === "interrupt") {
    if (before.leaving) return { composer: before, deed: { deed: "leave" } };
    const deed: Deed = question ? { deed: "answer", yes: false } : { deed: "interrupt" };
    return { composer: { ...before, draft: EMPTY_DRAFT, leaving: true }, deed };
  }
  const composer = { ...before, leaving: false };
  return question ? answerWith(composer, question, key) : typeKey(composer, key);
}

function answerWith(composer: ComposerState, question: PaneQuestion, key: Key): Pressed {
  const answer = (yes: boolean): Pressed => ({ composer, deed: { deed: "answer", yes } });
  const choose = (chosen: PaneQuestion["chosen"]): Pressed => ({
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

type Edit = (draft: PromptDraft) => PromptDraft;

/** What the keys do that only change the draft. */
const EDITS = new Map<Key["key"], Edit>([
  ["newline", (draft) => insert(draft, "\n")],
  ["backspace", erase],
  ["delete", (draft) => replace(draft, draft.cursor, nextEdge(draft))],
  ["clear", () => EMPTY_DRAFT],
  ["left", (draft) => ({ ...draft, cursor: previousEdge(draft) })],
  ["right", (draft) => ({ ...draft, cursor: nextEdge(draft) })],
  ["home", (draft) => ({ ...draft, cursor: lineStart(draft) })],
  ["end", (draft) => ({ ...draft, cursor: lineEnd(draft) })],
]);

function typeKey(composer: ComposerState, key: Key): Pressed {
  const { draft } = composer;
  const change = (changed: PromptDraft): Pressed => ({ composer: { ...composer, draft: changed } });
  if (key.key === "text") return change(insert(draft, key.text));
  if (key.key === "paste") return change(paste(draft, key.text));
  if (key.key === "escape") return { composer, deed: { deed: "interrupt" } };
  if (key.key === "end-of-input" && draft.text === "") return { composer, deed: { deed: "leave" } };
  if (key.key === "enter") {
    // After a backslash, Enter breaks the line, as in Claude Code.
    if (draft.text[draft.cursor - 1] === "\\") return change(insert(erase(draft), "\n"));
    if (draft.text.trim() === "") return { composer };
    const prompt = unfold({ ...draft, text: draft.text.trim() });
    return { ...change(EMPTY_DRAFT), deed: { deed: "submit", prompt } };
  }
  return change(EDITS.get(key.key)?.(draft) ?? draft);
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

/** The text that would be sent, or another form of it: `form` says what stands for each folded paste. */
export function unfold(
  { text, folds }: PromptDraft,
  form: (pasted: string, index: number) => string = (pasted) => pasted,
): string {
  return text.replaceAll(FOLD, (fold) => {
    const index = (fold.codePointAt(0) ?? 0) - FIRST_FOLD;
    return form(folds[index] ?? "", index);
  });
}

export function showFolds(draft: PromptDraft): string {
  return unfold(draft, (pasted, index) => {
    const lines = pasted.split("\n").length - 1;
    return `[Pasted text #${index + 1}${lines > 0 ? ` +${lines} lines` : ""}]`;
  });
}

/** Puts text in the place of a part of the draft, with the cursor behind it. */
function replace(draft: PromptDraft, from: number, to: number, piece = ""): PromptDraft {
  const text = draft.text.slice(0, from) + piece + draft.text.slice(to);
  return { ...draft, text, cursor: from + piece.length };
}

function insert(draft: PromptDraft, piece: string): PromptDraft {
  return replace(draft, draft.cursor, draft.cursor, piece);
}

/** Removes what a person sees as one character before the cursor. */
function erase(draft: PromptDraft): PromptDraft {
  return replace(draft, previousEdge(draft), draft.cursor);
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

/** No character is longer than this, and splitting a whole ritual at each key would be slow. */
const NEIGHBOURHOOD = 64;

function previousEdge({ text, cursor }: PromptDraft): number {
  const before = splitIntoSteps(text.slice(Math.max(0, cursor - NEIGHBOURHOOD), cursor));
  return cursor - (before.at(-1)?.length ?? 0);
}

function nextEdge({ text, cursor }: PromptDraft): number {
  const [next = ""] = splitIntoSteps(text.slice(cursor, cursor + NEIGHBOURHOOD));
  return cursor + next.length;
}
