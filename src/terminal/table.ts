/** Formats rows in aligned columns, by their width on a terminal. */
import type { Paint, Style } from "./paint.ts";
import { cutToWidth, padToWidth, textWidth } from "./text-width.ts";

export interface Cell {
  text: string;
  style?: Style | undefined;
}

const GAP = "  ";

/** Below a line with the name of each column. The last column is cut to fit the terminal. */
export function formatTable(
  names: Record<string, string>,
  rows: Cell[][],
  { paint, columns }: { paint: Paint; columns: number | undefined },
): string[] {
  const head = Object.values(names).map((text): Cell => ({ text, style: "faint" }));
  const all = [head, ...rows];
  const widths = head.map((_, index) => Math.max(...all.map((row) => textWidth(row[index]?.text ?? ""))));
  return all.map((row) => {
    let left = columns ?? Infinity;
    const cells = row.map(({ text, style }, index) => {
      const isLast = index === row.length - 1;
      const fitting = isLast ? cutToWidth(text, Math.max(1, left)) : padToWidth(text, widths[index] ?? 0);
      left -= textWidth(fitting) + GAP.length;
      return style === undefined ? fitting : paint(style, fitting);
    });
    return cells.join(GAP).trimEnd();
  });
}
