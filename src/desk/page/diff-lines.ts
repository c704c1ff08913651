/** The difference between two texts, line by line. Pure. */
export interface DiffLine {
  kind: "same" | "removed" | "added";
  text: string;
}

/** Above this many pairs of lines, comparing each with each would take too long. */
const MOST_PAIRS = 4_000_000;

export function diffLines(before: string, after: string): DiffLine[] {
  const [old, fresh] = [linesOf(before), linesOf(after)];
  let start = 0;
  while (start < Math.min(old.length, fresh.length) && old[start] === fresh[start]) start += 1;
  let end = 0;
  while (
    end < Math.min(old.length, fresh.length) - start &&
    old[old.length - 1 - end] === fresh[fresh.length - 1 - end]
  )
    end += 1;
  const middle = diffMiddle(old.slice(start, old.length - end), fresh.slice(start, fresh.length - end));
  return [...old.slice(0, start).map(same), ...middle, ...old.slice(old.length - end).map(same)];
}

function linesOf(text: string): string[] {
  return text === "" ? [] : text.split("\n");
}

/** By the longest common subsequence; of very long texts everything counts as changed. */
function diffMiddle(old: readonly string[], fresh: readonly string[]): DiffLine[] {
  if (old.length * fresh.length > MOST_PAIRS) return [...old.map(removed), ...fresh.map(added)];
  const width = fresh.length + 1;
  const longest = new Uint32Array((old.length + 1) * width);
  const at = (row: number, column: number): number => longest[row * width + column] ?? 0;
  for (let row = old.length - 1; row >= 0; row -= 1)
    for (let column = fresh.length - 1; column >= 0; column -= 1)
      longest[row * width + column] =
        old[row] === fresh[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
  const lines: DiffLine[] = [];
  let [row, column] = [0, 0];
  while (row < old.length || column < fresh.length) {
    const [from = "", to = ""] = [old[row], fresh[column]];
    if (row < old.length && column < fresh.length && from === to) {
      lines.push(same(from));
      row += 1;
      column += 1;
    } else if (row < old.length && (column === fresh.length || at(row + 1, column) >= at(row, column + 1))) {
      lines.push(removed(from));
      row += 1;
    } else {
      lines.push(added(to));
      column += 1;
    }
  }
  return lines;
}

const same = (text: string): DiffLine => ({ kind: "same", text });
const removed = (text: string): DiffLine => ({ kind: "removed", text });
const added = (text: string): DiffLine => ({ kind: "added", text });
