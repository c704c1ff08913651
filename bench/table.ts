/** Aligns cells in columns; the first line is the head. */
const GAP = "  ";

export function formatTable(lines: string[][]): string {
  const [head = []] = lines;
  const widths = head.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const rule = widths.map((width) => "-".repeat(width));
  return [head, rule, ...lines.slice(1)].map((line) => `${printLine(line, widths)}\n`).join("");
}

function printLine(cells: string[], widths: number[]): string {
  return cells
    .map((cell, column) => cell.padEnd(widths[column] ?? 0))
    .join(GAP)
    .trimEnd();
}
