/**
 * How our own colours and moves of the cursor reach a terminal, and nobody else's do.
 *
 * Whatever is printed passes `cleanForScreen`, which leaves no escape in it. So that our own survive, we write a mark
 * in place of the escape, and printing puts the escape there at the very end. The mark holds the moment at which this
 * process began, to the microsecond: whoever put a name or a text on the disk before cannot have put the mark in it.
 */
import { cleanForScreen } from "../system/clean-text.ts";
import { lazily } from "../system/lazily.ts";

const ESCAPE = "\u001b[";
/** Beside the moment it has a character that Unicode keeps for internal use. Node loads its clock when it is first asked. */
const mark = lazily(() => `\uFDD0${performance.timeOrigin}\uFDD0`);

/** A control sequence of ours, such as `31m`. */
export function steer(sequence: string): string {
  return `${mark()}${sequence}`;
}

/** What may be written to a terminal as it is. */
export function readyForScreen(text: string): string {
  return cleanForScreen(text).replaceAll(mark(), ESCAPE);
}
