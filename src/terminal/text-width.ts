/**
 * The width of a text on a terminal, and fitting text into a width: East Asian characters and emoji take two columns.
 */
import { eastAsianWidth } from "get-east-asian-width";
import { lazily } from "../system/async.ts";
import { splitSteering, steer } from "./print.ts";

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
function splitCharacters(text: string): string[] {
  return Array.from(segmenter().segment(text), ({ segment }) => segment);
}

function characterWidth(character: string): number {
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
  return text.split("\n").flatMap((line) => wrapPainted(line.replaceAll("\t", "    "), Math.max(1, width)));
}

/** Breaks a line that may have our colours in it into lines that fit a width. A colour goes on in the next line. Pure. */
export function wrapPainted(line: string, width: number): string[] {
  const lines: string[] = [];
  const noColour = steer("0m");
  let [current, colour, left] = ["", "", width];
  for (const { text, isSteering } of splitSteering(line)) {
    if (isSteering) {
      current += text;
      colour = text === noColour ? "" : text;
      continue;
    }
    for (const character of splitCharacters(text)) {
      const taken = characterWidth(character);
      if (taken > left && left < width) {
        lines.push(colour === "" ? current : current + noColour);
        [current, left] = [colour, width];
      }
      current += character;
      left -= taken;
    }
  }
  return [...lines, current];
}

const JAPANESE = String.raw`[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}ー、。（）「」：；！？・…]`;
const BEGINS_NO_LINE = "[、。，．）」』：；！？・ー…ぁぃぅぇぉっゃゅょァィゥェォッャュョ,.)!?:;]";
const ENDS_NO_LINE = "[（「『(]";
/** After a space, and at every Japanese character that may begin or follow the end of a line. */
const LINE_MAY_BREAK = new RegExp(
  `(?<= )(?! )|(?<!${ENDS_NO_LINE}| )(?=${JAPANESE})(?!${BEGINS_NO_LINE})|(?<=${JAPANESE})(?<!${ENDS_NO_LINE})(?!${BEGINS_NO_LINE}| )`,
  "u",
);

/** Breaks a line between words, so that it fits a width; Japanese breaks between characters. It may have our colours. */
export function wrapWords(line: string, width: number): string[] {
  const lines = [""];
  let left = width;
  for (const word of line.split(LINE_MAY_BREAK)) {
    const taken = paintedWidth(word.trimEnd());
    if (taken > left && left < width) {
      lines.push("");
      left = width;
    }
    lines.push(`${lines.pop()}${word}`);
    left -= paintedWidth(word);
  }
  return lines.map((each) => each.trimEnd());
}

function paintedWidth(text: string): number {
  return splitSteering(text).reduce((sum, part) => sum + (part.isSteering ? 0 : textWidth(part.text)), 0);
}
