/** Breaks a text into lines of a given width. */
import { characterWidth, splitCharacters, textWidth } from "../../terminal/text-width.ts";

export interface WrappedLine {
  text: string;
  /** Where the line begins in the text. */
  start: number;
}

/** Breaks anywhere, even inside words, as a composer does. Returns at least one line, even for an empty text. */
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
  for (const character of splitCharacters(text)) {
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

/** Breaks at spaces if there are any; for text that is read, not edited. */
export function wrapWords(text: string, width: number): string[] {
  return text.split("\n").flatMap((paragraph) => {
    const lines = [""];
    for (const word of paragraph.split(" ")) {
      const line = lines.at(-1) ?? "";
      const longer = line === "" ? word : `${line} ${word}`;
      const kept = textWidth(longer) <= width ? [longer] : [...(line === "" ? [] : [line]), ...wrapAll(word)];
      lines.splice(-1, 1, ...kept);
    }
    return lines;
  });

  function wrapAll(word: string): string[] {
    return wrapText(word, width).map((line) => line.text);
  }
}
