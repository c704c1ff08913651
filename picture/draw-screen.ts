/** Draws a terminal's screen as SVG, row by row: one text element for each run of cells that look the same. */
import type { IBufferCell, Terminal } from "@xterm/headless";

export const CELL = { width: 8, height: 17 };
export const MARGIN = 10;

export interface Theme {
  paper: string;
  ink: string;
  /** The sixteen numbered colours of a terminal. */
  base: readonly string[];
}

export const THEMES = {
  dark: {
    paper: "#16161e",
    ink: "#c0caf5",
    base: [
      ["#15161e", "#f7768e", "#9ece6a", "#e0af68", "#7aa2f7", "#bb9af7", "#7dcfff", "#a9b1d6"],
      ["#414868", "#f7768e", "#9ece6a", "#e0af68", "#7aa2f7", "#bb9af7", "#7dcfff", "#c0caf5"],
    ].flat(),
  },
  light: {
    paper: "#f6f6f9",
    ink: "#343b58",
    base: [
      ["#e4e4ea", "#a3203f", "#33691e", "#8a5a00", "#2e5aa8", "#7847bd", "#00657e", "#4c505e"],
      ["#8a8fa3", "#a3203f", "#33691e", "#8a5a00", "#2e5aa8", "#7847bd", "#00657e", "#343b58"],
    ].flat(),
  },
} satisfies Record<string, Theme>;

/** Glyphs with which Zellij slants its bars, from fonts that not everybody has. */
const PRIVATE = /\p{Co}/u;

interface Run {
  column: number;
  cells: number;
  text: string;
  ink: string;
  paper: string | undefined;
  bold: boolean;
}

export function drawRows({ buffer, cols, rows }: Terminal, theme: Theme): string[] {
  return Array.from({ length: rows }, (_, row) => {
    const line = buffer.active.getLine(buffer.active.viewportY + row);
    const cells = Array.from({ length: cols }, (_cell, column) => line?.getCell(column));
    return runsOf(cells, theme)
      .map((run) => drawRun(run, row))
      .join("");
  });
}

function runsOf(cells: (IBufferCell | undefined)[], theme: Theme): Run[] {
  const runs: Run[] = [];
  for (const [column, cell] of cells.entries()) {
    // The second half of a wide character has no width of its own.
    if (cell === undefined || cell.getWidth() === 0) continue;
    const next = looksOf(cell, column, theme);
    const last = runs.at(-1);
    const isSame = last?.ink === next.ink && last.paper === next.paper && last.bold === next.bold;
    // A wide character gets an element of its own, so that no font can displace its neighbours.
    if (last && isSame && last.cells === last.text.length && next.cells === 1) {
      last.text += next.text;
      last.cells += 1;
    } else runs.push(next);
  }
  return runs;
}

function looksOf(cell: IBufferCell, column: number, { paper, ink, base }: Theme): Run {
  const front = colourOf(cell.isFgRGB(), cell.isFgPalette(), cell.getFgColor(), base);
  const back = colourOf(cell.isBgRGB(), cell.isBgPalette(), cell.getBgColor(), base);
  const isInverse = cell.isInverse() !== 0;
  return {
    column,
    cells: cell.getWidth(),
    text: cell.getChars().replace(PRIVATE, "") || " ",
    ink: isInverse ? (back ?? paper) : (front ?? ink),
    paper: isInverse ? (front ?? ink) : back,
    bold: cell.isBold() !== 0,
  };
}

function colourOf(
  isRgb: boolean,
  isPalette: boolean,
  colour: number,
  base: readonly string[],
): string | undefined {
  if (isRgb) return `#${colour.toString(16).padStart(6, "0")}`;
  if (!isPalette) return undefined;
  if (colour < 16) return base[colour];
  if (colour >= 232) return grey(8 + (colour - 232) * 10);
  const index = colour - 16;
  const parts = [Math.floor(index / 36), Math.floor(index / 6) % 6, index % 6].map(level);
  return `rgb(${parts.join(",")})`;
}

/** One of the six levels that each colour has in the 256-colour cube. */
function level(step: number): number {
  return step === 0 ? 0 : 55 + step * 40;
}

function grey(shade: number): string {
  return `rgb(${shade},${shade},${shade})`;
}

function drawRun({ column, cells, text, ink, paper, bold }: Run, row: number): string {
  const x = MARGIN + column * CELL.width;
  const y = MARGIN + row * CELL.height;
  const width = cells * CELL.width;
  const ground = paper
    ? `<rect x="${x}" y="${y}" width="${width}" height="${CELL.height}" fill="${paper}"/>`
    : "";
  if (text.trim() === "") return ground;
  const weight = bold ? ' font-weight="bold"' : "";
  return `${ground}<text x="${x}" y="${y + 13}" textLength="${width}" lengthAdjust="spacingAndGlyphs" fill="${ink}"${weight} xml:space="preserve">${escape(text)}</text>`;
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
