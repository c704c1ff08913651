/** Breaks a line that may have our colours in it into lines that fit a width. A colour goes on in the next line. Pure. */
import { splitSteering, steer } from "./steer.ts";
import { characterWidth, splitCharacters } from "./text-width.ts";

const NO_COLOUR = steer("0m");

export function wrapPainted(line: string, width: number): string[] {
  const lines: string[] = [];
  let [current, colour, left] = ["", "", width];
  for (const { text, isSteering } of splitSteering(line)) {
    if (isSteering) {
      current += text;
      colour = text === NO_COLOUR ? "" : text;
      continue;
    }
    for (const character of splitCharacters(text)) {
      const taken = characterWidth(character);
      if (taken > left && left < width) {
        lines.push(colour === "" ? current : current + NO_COLOUR);
        [current, left] = [colour, width];
      }
      current += character;
      left -= taken;
    }
  }
  return [...lines, current];
}
