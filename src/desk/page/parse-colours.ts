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

function applyCodes(before: Look, codes: string): Look {
  let look: Look = { ...before };
  const numbers = codes.split(/[;:]/).map(Number);
  while (numbers.length > 0) {
    const code = numbers.shift() ?? 0;
    if (code === 0) look = {};
    else if (code === 1) look.bold = true;
    else if (code === 2) look.faint = true;
    else if (code === 7) look.inverse = true;
    else if (code === 22) look.bold = look.faint = undefined;
    else if (code === 27) look.inverse = undefined;
    else if (code === 39) look.colour = undefined;
    else if (code === 49) look.background = undefined;
    else if (code === 38 || code === 48) {
      const colour = takeColour(numbers);
      if (colour !== undefined) look[code === 38 ? "colour" : "background"] = colour;
    } else if (code >= 30 && code <= 37) look.colour = paletteColour(code - 30);
    else if (code >= 90 && code <= 97) look.colour = paletteColour(code - 82);
    else if (code >= 40 && code <= 47) look.background = paletteColour(code - 40);
    else if (code >= 100 && code <= 107) look.background = paletteColour(code - 92);
  }
  return look;
}

function takeColour(numbers: number[]): string | undefined {
  const kind = numbers.shift();
  if (kind === 5) return paletteColour(numbers.shift() ?? 0);
  if (kind !== 2) return undefined;
  return hex(numbers.splice(0, 3));
}

const BASIC = [
  ["#2e3436", "#cc3333", "#4e9a06", "#b58900", "#3465a4", "#8e5a9b", "#06989a", "#d3d7cf"],
  ["#888a85", "#ef5350", "#8ae234", "#fce94f", "#729fcf", "#ad7fa8", "#34e2e2", "#eeeeec"],
].flat();

function paletteColour(number: number): string {
  if (number < 16) return BASIC[number] ?? "#888888";
  if (number >= 232) return hex(Array.from({ length: 3 }, () => 8 + (number - 232) * 10));
  const place = number - 16;
  return hex([Math.floor(place / 36), Math.floor(place / 6) % 6, place % 6].map(level));
}

function hex(parts: readonly number[]): string {
  return `#${parts.map((part) => clamp(part).toString(16).padStart(2, "0")).join("")}`;
}

/** The brightness of one part of a colour in the cube of the palette. */
function level(value: number): number {
  return value === 0 ? 0 : 55 + value * 40;
}

function clamp(value: number): number {
  return Math.min(255, Math.max(0, Math.floor(value) || 0));
}
