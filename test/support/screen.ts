/** What a terminal shows after a program has written to it. */
import xterm from "@xterm/headless";

export interface Screen {
  write(text: string): void;
  resize(columns: number, rows: number): void;
  lines(): string[];
}

export function createScreen(columns: number, rows: number): Screen {
  const terminal = new xterm.Terminal({ cols: columns, rows, scrollback: 0, allowProposedApi: true });
  return {
    write: (text) => terminal.write(text),
    resize: (newColumns, newRows) => terminal.resize(newColumns, newRows),
    lines: () => Array.from({ length: terminal.rows }, (_, row) => lineAt(terminal, row).trimEnd()),
  };
}

function lineAt({ buffer }: xterm.Terminal, row: number): string {
  return buffer.active.getLine(row)?.translateToString(true) ?? "";
}
