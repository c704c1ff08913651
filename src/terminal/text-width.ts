/**
 * The width of a text on a terminal, and fitting text into a width: East Asian characters and emoji take two columns.
 */
import { eastAsianWidth } from "get-east-asian-width";
import { lazily } from "../system/async.ts";

const PLAIN = /^[\u0020-\u007e]*$/;
/** Marks, and the vowels and final consonants that join a Korean syllable. */
const NO_WIDTH = /[\p{M}\p{Cf}\u1160-\u11ff]/gu;
/** Drawn as an emoji: by default, or because a variation selector asks for it. */
const EMOJI = /\p{Emoji_Presentation}|\p{Emoji}\u{fe0f}/u;

const segmenter = lazily(() => new Intl.Segmenter());

export function textWidth(text: string): number {
  if (PLAIN.test(text)) return text.length;
  return splitCharacters(text).reduce((width, character) => width + characterWidth(character), 0);
}

export function padToWidth(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - textWidth(text)));
}

/** Cuts the text with an ellipsis if it is too wide. */
export function cutToWidth(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  let cut = "";
  let left = width - 1;
  for (const character of splitCharacters(text)) {
    left -= characterWidth(character);
    if (left < 0) break;
    cut += character;
  }
  return width > 0 ? `${cut}…` : "";
}

/** Splits into what a person sees as one character: a letter with its accents, a flag, a family. */
export function splitCharacters(text: string): string[] {
  return Array.from(segmenter().segment(text), ({ segment }) => segment);
}

export function characterWidth(character: string): number {
  if (PLAIN.test(character)) return character.length;
  if (EMOJI.test(character)) return 2;
  let width = 0;
  for (const part of character.replaceAll(NO_WIDTH, ""))
    width += eastAsianWidth(part.codePointAt(0) ?? 0, { ambiguousAsWide: false });
  return width;
}

/**
 * Breaks text into lines that fit a width, without leaving anything out. Text that may be anybody's is wrapped here and
 * not by the terminal, so that each of its lines has the mark of quoted text.
 */
export function wrapLines(text: string, width: number): string[] {
  return text.split("\n").flatMap((line) => wrapLine(line.replaceAll("\t", "    "), Math.max(1, width)));
}

function wrapLine(line: string, width: number): string[] {
  if (textWidth(line) <= width) return [line];
  const lines: string[] = [];
  let current = "";
  let left = width;
  for (const character of splitCharacters(line)) {
    const taken = characterWidth(character);
    if (taken > left && current !== "") {
      lines.push(current);
      current = "";
      left = width;
    }
    current += character;
    left -= taken;
  }
  return [...lines, current];
}
