/** Finds the known word that a person may have meant. */
const MOST_SLIPS = 3;

/** Undefined if no word is close enough. */
export function closestWord(input: string, words: readonly string[]): string | undefined {
  const ranked = words
    .map((word) => ({ word, slips: countSlips(input.toLowerCase(), word.toLowerCase()) }))
    .filter(({ word, slips }) => slips <= Math.min(MOST_SLIPS, Math.ceil(word.length / 2)))
    .toSorted((one, other) => one.slips - other.slips);
  return ranked[0]?.word;
}

/** How many characters have to be added, left out, replaced or swapped with their neighbour. */
function countSlips(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const same = from[row - 1] === to[column - 1];
      const swapped =
        row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      current[column] = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
        swapped ? (beforeLast[column - 2] ?? 0) + 1 : Infinity,
      );
    }
    beforeLast = last;
    last = current;
  }
  return last[to.length] ?? 0;
}
