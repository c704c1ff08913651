/**
 * A line of a terminal's screen as spans of text with their colours. Pure. Only colours and weights are taken from it;
 * every other sequence is dropped.
 */
export interface ColouredSpan {
  text: string;
  /** A colour of the terminal's palette (0 to 255), or one of its own as `#rrggbb`. */
  colour?: string | undefined;
  background?: string | undefined;
  bold?: boolean | undefined;
  faint?: boolean | undefined;
  inverse?: boolean | undefined;
}

type Look = Omit<ColouredSpan, "text">;

const SEQUENCE = /\u001b(?:\[([0-?]*)[ -/]*([@-~])|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[^[\]])/;

export function parseColours(lines: readonly string[]): ColouredSpan[][] {
  let look: Look = {};
  return lines.map((line) => {
    const spans: ColouredSpan[] = [];
    let rest = line;
    for (let found = SEQUENCE.exec(rest); found; found = SEQUENCE.exec(rest)) {
      if (found.index > 0) spans.push({ text: rest.slice(0, found.index), ...look });
      if (found[2] === "m") look = applyCodes(look, found[1] ?? "");
      rest = rest.slice(found.index + found[0].length);
    }
    if (rest !== "") spans.push({ text: rest, ...look });
    return spans;
  });
}

const BASIC = [
  ["#2e3436", "#cc3333", "#4e9a06", "#b58900", "#3465a4", "#8e5a9b", "#06989a", "#d3d7cf"],
  ["#888a85", "#ef5350", "#8ae234", "#fce94f", "#729fcf", "#ad7fa8", "#34e2e2", "#eeeeec"],
].flat();

/** What each code changes. */
const CHANGES: Record<number, Look> = {
  1: { bold: true },
  2: { faint: true },
  7: { inverse: true },
  22: { bold: undefined, faint: undefined },
  27: { inverse: undefined },
  39: { colour: undefined },
  49: { background: undefined },
};
for (const [index, colour] of BASIC.entries()) {
  const code = index < 8 ? 30 + index : 82 + index;
  CHANGES[code] = { colour };
  CHANGES[code + 10] = { background: colour };
}

function applyCodes(before: Look, codes: string): Look {
  let look = before;
  const numbers = codes.split(/[;:]/).map(Number);
  while (numbers.length > 0) {
    const code = numbers.shift() ?? 0;
    const other = code === 38 || code === 48 ? takeColour(numbers) : undefined;
    if (code === 0) look = {};
    else if (other === undefined) look = { ...look, ...CHANGES[code] };
    else look = { ...look, [code === 38 ? "colour" : "background"]: other };
  }
  return look;
}

/** A colour that is given by its number in the palette, or by its parts. */
function takeColour(numbers: number[]): string | undefined {
  const kind = numbers.shift();
  if (kind === 2) return hex(numbers.splice(0, 3));
  if (kind !== 5) return undefined;
  const number = numbers.shift() ?? 0;
  const grey = 8 + (number - 232) * 10;
  if (number >= 232) return hex([grey, grey, grey]);
  const place = number - 16;
  const levels = [Math.floor(place / 36), Math.floor(place / 6) % 6, place % 6];
  return BASIC[number] ?? hex(levels.map((level) => (level === 0 ? 0 : 55 + level * 40)));
}

function hex(parts: readonly number[]): string {
  const inRange = parts.map((part) => Math.min(255, Math.max(0, Math.floor(part) || 0)));
  return `#${inRange.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}
