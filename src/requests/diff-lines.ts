/** The lines that a change removes, adds and keeps, in order. Pure. */
export interface DiffLine {
  is: "kept" | "removed" | "added";
  text: string;
}

/** Above this many comparisons only the common beginning and end are kept: the rest is shown as replaced. */
const MOST_COMPARISONS = 1_000_000;

export function diffLines(before: string, after: string): DiffLine[] {
  const [old, fresh] = [linesOf(before), linesOf(after)];
  const shorter = Math.min(old.length, fresh.length);
  let head = 0;
  while (head < shorter && old[head] === fresh[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && old.at(-1 - tail) === fresh.at(-1 - tail)) tail += 1;
  return [
    ...all("kept", old.slice(0, head)),
    ...diffMiddle(old.slice(head, old.length - tail), fresh.slice(head, fresh.length - tail)),
    ...all("kept", old.slice(old.length - tail)),
  ];
}

/** No text has no lines; everything else has one more than it has newlines. */
function linesOf(text: string): string[] {
  return text === "" ? [] : text.split("\n");
}

/** By the longest common subsequence. */
function diffMiddle(old: string[], fresh: string[]): DiffLine[] {
  if (old.length * fresh.length > MOST_COMPARISONS) return [...all("removed", old), ...all("added", fresh)];
  const width = fresh.length + 1;
  const longest = new Uint32Array((old.length + 1) * width);
  const at = (row: number, column: number): number => longest[row * width + column] ?? 0;
  for (let row = old.length - 1; row >= 0; row -= 1) {
    for (let column = fresh.length - 1; column >= 0; column -= 1) {
      longest[row * width + column] =
        old[row] === fresh[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const lines: DiffLine[] = [];
  let [row, column] = [0, 0];
  while (row < old.length && column < fresh.length) {
    const [mine = "", theirs = ""] = [old[row], fresh[column]];
    if (mine === theirs) {
      lines.push({ is: "kept", text: mine });
      row += 1;
      column += 1;
    } else if (at(row + 1, column) >= at(row, column + 1)) {
      lines.push({ is: "removed", text: mine });
      row += 1;
    } else {
      lines.push({ is: "added", text: theirs });
      column += 1;
    }
  }
  return [...lines, ...all("removed", old.slice(row)), ...all("added", fresh.slice(column))];
}

function all(is: DiffLine["is"], lines: string[]): DiffLine[] {
  return lines.map((text) => ({ is, text }));
}
