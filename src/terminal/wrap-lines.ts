/**
 * Breaks text into lines that fit a width, without leaving anything out. Text that may be anybody's is wrapped here and
 * not by the terminal, so that each of its lines has the mark of quoted text.
 */
import { characterWidth, splitCharacters, textWidth } from "./text-width.ts";

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
