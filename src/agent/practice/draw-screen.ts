/**
 * The agent's screen as lines: the transcript above, the composer below. Pure.
 *
 * The marks are those of Claude Code, because the same code reads both screens: the composer's lines are between the
 * last two full-width rules, and the first begins with `❯` and a no-break space. While a question is open there is no
 * composer. The marks are the same in every language.
 */
import { textWidth, characterWidth, splitCharacters } from "../../terminal/text-width.ts";
import { showFolds, type ComposerState, type Question } from "./press-key.ts";

export interface View extends ComposerState {
  /** Oldest first. */
  transcript: readonly string[];
  busy: boolean;
  /** Prompts that wait for the turn to end. */
  queued: readonly string[];
}

export interface Size {
  columns: number;
  rows: number;
}

export interface Frame {
  /** One per row. */
  lines: string[];
  /** Counted from 1, as in terminals. */
  cursor: { row: number; column: number } | undefined;
}

const RULE = "─";
const PROMPT = "❯\u00A0";
const INDENT = "  ";
const IDLE_FOOTER = "? for shortcuts";
const BUSY_FOOTER = "esc to interrupt";
const LEAVING_FOOTER = "Press Ctrl-C again to exit";
const SPINNER = "✻ …";
const NARROWEST = 4;
const LOWEST = 4;

/** A pane that was restarted has no size at first. */
const UNKNOWN_SIZE: Size = { columns: 80, rows: 24 };

export function drawScreen(view: View, given: Size): Frame {
  const size = usableSize(given);
  const { columns, rows } = size;
  const bottom = view.question ? drawQuestion(view.question, columns) : drawComposer(view, size);
  const waiting = view.queued.flatMap((prompt) => hang(`› ${prompt}`, columns));
  const spinner = view.busy ? [SPINNER] : [];
  const above = [...view.transcript.flatMap((entry) => hang(entry, columns)), ...spinner, ...waiting];
  const room = Math.max(0, rows - bottom.lines.length);
  const shown = above.slice(Math.max(0, above.length - room));
  const blank = Array.from({ length: room - shown.length }, () => "");
  const lines = [...shown, ...blank, ...bottom.lines].slice(0, rows);
  const { cursor } = bottom;
  return { lines, cursor: cursor && { row: Math.min(rows, room + cursor.row), column: cursor.column } };
}

export function usableSize({ columns, rows }: Size): Size {
  return {
    columns: columns > 0 ? Math.max(NARROWEST, columns) : UNKNOWN_SIZE.columns,
    rows: rows > 0 ? Math.max(LOWEST, rows) : UNKNOWN_SIZE.rows,
  };
}

type Part = Frame;

function drawComposer({ draft: folded, busy, leaving }: View, { columns, rows }: Size): Part {
  const rule = RULE.repeat(columns);
  const draft = showFolds(folded);
  const wrapped = wrapText(draft.text.replaceAll("\t", " "), columns - INDENT.length);
  const cursorLine = wrapped.findLastIndex(({ start }) => start <= draft.cursor);
  const mode = busy ? BUSY_FOOTER : IDLE_FOOTER;
  const footer = wrapText(leaving ? LEAVING_FOOTER : mode, columns).map(({ text }) => text);
  // A draft taller than the screen is shown around the cursor, and never as a single line, which could look like no
  // draft.
  const most = Math.max(2, rows - footer.length - 2);
  const first = Math.max(0, Math.min(cursorLine - most + 1, wrapped.length - most));
  const lines = wrapped
    .slice(first, first + most)
    .map(({ text }, index) => `${index === 0 ? PROMPT : INDENT}${text}`);
  const before = draft.text.slice(wrapped[cursorLine]?.start, draft.cursor);
  return {
    lines: [rule, ...lines, rule, ...footer],
    cursor: {
      row: 2 + cursorLine - first,
      column: Math.min(columns, INDENT.length + textWidth(before) + 1),
    },
  };
}

function drawQuestion({ lines, chosen }: Question, columns: number): Part {
  const mark = (answer: Question["chosen"]): string => (chosen === answer ? "❯ " : INDENT);
  const asked = lines.map((line) => `${INDENT}${line}`);
  const drawn = [...asked, `${mark("yes")}1. Yes`, `${mark("no")}2. No`, "", `${INDENT}Esc to cancel`];
  return { lines: drawn.flatMap((line) => hang(line, columns)), cursor: undefined };
}

/** Wraps an entry after its mark and indents all further lines, so that nothing in a transcript looks like a rule. */
function hang(entry: string, columns: number): string[] {
  const mark = entry.slice(0, INDENT.length);
  const lines = wrapWords(entry.slice(INDENT.length), columns - INDENT.length);
  return lines.map((line, index) => `${index === 0 ? mark : INDENT}${line}`);
}

interface WrappedLine {
  text: string;
  /** Where the line begins in the text. */
  start: number;
}

/** Breaks anywhere, even inside words, as a composer does. Returns at least one line, even for an empty text. */
function wrapText(text: string, width: number): WrappedLine[] {
  const lines: WrappedLine[] = [];
  let line: WrappedLine = { text: "", start: 0 };
  let used = 0;
  let index = 0;
  const breakAt = (start: number): void => {
    lines.push(line);
    line = { text: "", start };
    used = 0;
  };
  for (const character of splitCharacters(text)) {
    const after = index + character.length;
    if (character === "\n") breakAt(after);
    else {
      const columns = characterWidth(character);
      if (used > 0 && used + columns > width) breakAt(index);
      line.text += character;
      used += columns;
    }
    index = after;
  }
  return [...lines, line];
}

/** Breaks at spaces if there are any; for text that is read, not edited. */
function wrapWords(text: string, width: number): string[] {
  return text.split("\n").flatMap((paragraph) => {
    const lines = [""];
    for (const word of paragraph.split(" ")) {
      const line = lines.at(-1) ?? "";
      const longer = line === "" ? word : `${line} ${word}`;
      const kept = textWidth(longer) <= width ? [longer] : [...(line === "" ? [] : [line]), ...wrapAll(word)];
      lines.splice(-1, 1, ...kept);
    }
    return lines;
  });

  function wrapAll(word: string): string[] {
    return wrapText(word, width).map((line) => line.text);
  }
}
