/** How many columns a text takes on a terminal, and fitting it into some: East Asian characters take two. */

const NO_WIDTH = /^[\p{M}\p{Cf}]$/u;
const EMOJI = /^\p{Emoji_Presentation}$/u;

/** Blocks of characters that are two columns wide, by first and last. */
const WIDE: readonly (readonly [number, number])[] = [
  [0x11_00, 0x11_5f],
  [0x2e_80, 0x30_3e],
  [0x30_41, 0x33_ff],
  [0x34_00, 0x4d_bf],
  [0x4e_00, 0xa4_cf],
  [0xa9_60, 0xa9_7f],
  [0xac_00, 0xd7_a3],
  [0xf9_00, 0xfa_ff],
  [0xfe_30, 0xfe_6f],
  [0xff_00, 0xff_60],
  [0xff_e0, 0xff_e6],
  [0x1_7000, 0x1_8cff],
  [0x1_b000, 0x1_b2ff],
  [0x2_0000, 0x3_fffd],
];

export function textWidth(text: string): number {
  let width = 0;
  for (const character of text) width += characterWidth(character);
  return width;
}

export function padToWidth(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - textWidth(text)));
}

/** Cut off with an ellipsis where it is too wide. */
export function cutToWidth(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  let cut = "";
  let left = width - 1;
  for (const character of text) {
    left -= characterWidth(character);
    if (left < 0) break;
    cut += character;
  }
  return width > 0 ? `${cut}…` : "";
}

export function characterWidth(character: string): number {
  const point = character.codePointAt(0) ?? 0;
  if (point < 0x300) return 1;
  if (NO_WIDTH.test(character)) return 0;
  return WIDE.some(([first, last]) => point >= first && point <= last) || EMOJI.test(character) ? 2 : 1;
}
