/**
 * The agent's screen as lines: the transcript above, the composer below. Pure.
 *
 * The marks are those of Claude Code, because the same code reads both screens: the composer's lines are between the
 * last two full-width rules, and the first begins with `❯` and a no-break space. While a question is open there is no
 * composer. The marks are the same in every language.
 */
import { textWidth, wrapLines, wrapWords } from "../../terminal/text-width.ts";
import { showFolds, type ComposerState, type PaneQuestion } from "./composer.ts";

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
  lines: string[];
  /** Counted from 1, as in terminals. */
  cursor: { row: number; column: number } | undefined;
}

const PROMPT = "❯\u00A0";
const INDENT = "  ";
const NARROWEST = 4;
const LOWEST = 4;

export function drawScreen(view: View, size: Size): Frame {
  const columns = Math.max(NARROWEST, size.columns);
  const rows = Math.max(LOWEST, size.rows);
  const { lines: below, cursor } = view.question
    ? drawQuestion(view.question, columns)
    : drawComposer(view, columns, rows);
  const above = [
    ...view.transcript.flatMap((entry) => hang(entry, columns)),
    ...(view.busy ? ["✻ …"] : []),
    ...view.queued.flatMap((prompt) => hang(`› ${prompt}`, columns)),
  ];
  const room = Math.max(0, rows - below.length);
  const shown = above.slice(Math.max(0, above.length - room));
  const blank = Array.from({ length: room - shown.length }, () => "");
  return {
    lines: [...shown, ...blank, ...below].slice(0, rows),
    cursor: cursor && { row: Math.min(rows, room + cursor.row), column: cursor.column },
  };
}

function drawComposer({ draft, busy, leaving }: View, columns: number, rows: number): Frame {
  const rule = "─".repeat(columns);
  const wrap = (text: string): string[] => wrapLines(showFolds({ ...draft, text }), columns - INDENT.length);
  const untilCursor = wrap(draft.text.slice(0, draft.cursor));
  const mode = busy ? "esc to interrupt" : "? for shortcuts";
  const footer = wrapLines(leaving ? "Press Ctrl-C again to exit" : mode, columns);
  // A draft taller than the screen is shown around the cursor, and never as a single line, which could look like no
  // draft.
  const most = Math.max(2, rows - footer.length - 2);
  const first = Math.max(0, untilCursor.length - most);
  const lines = wrap(draft.text)
    .slice(first, first + most)
    .map((line, index) => `${index === 0 ? PROMPT : INDENT}${line}`);
  const column = INDENT.length + textWidth(untilCursor.at(-1) ?? "") + 1;
  return {
    lines: [rule, ...lines, rule, ...footer],
    cursor: { row: 1 + untilCursor.length - first, column: Math.min(columns, column) },
  };
}

function drawQuestion({ lines, chosen }: PaneQuestion, columns: number): Frame {
  const mark = (answer: PaneQuestion["chosen"]): string => (chosen === answer ? "❯ " : INDENT);
  const asked = lines.map((line) => `${INDENT}${line}`);
  const drawn = [...asked, `${mark("yes")}1. Yes`, `${mark("no")}2. No`, "", `${INDENT}Esc to cancel`];
  return { lines: drawn.flatMap((line) => hang(line, columns)), cursor: undefined };
}

/** Wraps an entry after its mark and indents all further lines, so that nothing in a transcript looks like a rule. */
function hang(entry: string, columns: number): string[] {
  const mark = entry.slice(0, INDENT.length);
  const width = columns - INDENT.length;
  const words = entry.slice(INDENT.length).split("\n");
  const lines = words.flatMap((line) => wrapWords(line, width)).flatMap((line) => wrapLines(line, width));
  return lines.map((line, index) => `${index === 0 ? mark : INDENT}${line}`);
}
