/** Breaks a text into lines of a given width, anywhere, also inside words, as a composer does. */
import { characterWidth } from "../../system/text-width.ts";

export interface WrappedLine {
  text: string;
  /** Where in the text it begins. */
  start: number;
}

/** At least one line, even of an empty text. */
export function wrapText(text: string, width: number): WrappedLine[] {
  const lines: WrappedLine[] = [];
  let line: WrappedLine = { text: "", start: 0 };
  let used = 0;
  let index = 0;
  const breakAt = (start: number): void => {
    lines.push(line);
    line = { text: "", start };
    used = 0;
  };
  for (const character of text) {
    const after = index + character.length;
    if (character === "\n") breakAt(after);
    else {
      const columns = characterWidth(character);
      if (used > 0 && used + columns > width) breakAt(index);
      line.text += character;
      used += columns;
    }
    index = after;
  }
  return [...lines, line];
}
