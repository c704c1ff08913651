/** Reads the question in a pane, in its own words, for questions that ovld does not know. Pure. */
import { cleanLine } from "../system/clean-text.ts";

const LONGEST = 200;
/** Rules, frames and blocks are drawing, not words. */
const DRAWING = /[\u2500-\u259f▔▁✻❯›●⏸]+/gu;

/** The paragraph with the first question mark, or else the first lines; empty if the screen shows no words. */
export function readQuestion(screen: readonly string[]): string {
  const lines = screen.map((line) => cleanLine(line.replaceAll(DRAWING, " ")));
  const paragraphs = lines
    .join("\n")
    .split(/\n\n+/)
    .map((paragraph) => paragraph.replaceAll(/\s+/g, " ").trim())
    .filter((paragraph) => /\p{L}/u.test(paragraph));
  const words = paragraphs.find((paragraph) => /[?？]/.test(paragraph)) ?? paragraphs.slice(0, 2).join(" ");
  return words.length > LONGEST ? `${words.slice(0, LONGEST)}…` : words;
}
