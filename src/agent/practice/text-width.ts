/** How many columns a text takes on a terminal: East Asian characters take two, combining marks none. */
const NO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}]$/u;

/** First and last code point of what Unicode calls wide or full-width, as far as terminals agree on it. */
const WIDE: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0x33ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xa000, 0xa4cf],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe4f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x1f300, 0x1f64f],
  [0x1f680, 0x1f6ff],
  [0x1f900, 0x1f9ff],
  [0x20000, 0x3fffd],
];

export function textWidth(text: string): number {
  let width = 0;
  for (const character of text) width += characterWidth(character);
  return width;
}

export function characterWidth(character: string): 0 | 1 | 2 {
  const point = character.codePointAt(0) ?? 0;
  if (point < 0x300) return 1;
  if (NO_WIDTH.test(character)) return 0;
  return WIDE.some(([first, last]) => point >= first && point <= last) ? 2 : 1;
}
